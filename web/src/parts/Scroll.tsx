import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props {
  label: string;
  children: ComponentChildren;
  /** Whether it may also be scrolled down. */
  tall?: boolean;
}

/** A part that scrolls by itself; reached by the keyboard only where there is something to scroll. */
export function Scroll({ label, children, tall }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(false);
  const look = () => {
    const box = ref.current;
    if (box) setMore(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
  };
  useLayoutEffect(look); // before anybody sees it, and whenever it was drawn anew
  useLayoutEffect(() => {
    const box = ref.current!;
    const observer = new ResizeObserver(look);
    observer.observe(box);
    for (const child of box.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const reached = more ? { tabIndex: 0, role: "region" as const, "aria-label": label } : {};
  return (
    <div class={tall ? "scroll tall" : "scroll"} ref={ref} {...reached}>
      {children}
    </div>
  );
}
