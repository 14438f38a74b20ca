import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The width of an element in pixels, kept up to date: pictures are drawn at their true size. */
export function useWidth<T extends Element>(initial: number) {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const put = (found: number) => found > 0 && setWidth(Math.round(found));
    put(element.getBoundingClientRect().width); // before anybody sees it
    const observer = new ResizeObserver(([entry]) => entry && put(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
