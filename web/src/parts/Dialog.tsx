import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "../texts";

interface Props {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  /** Buttons beside "Close". */
  actions?: ComponentChildren;
  /** Takes the room that there is. */
  wide?: boolean;
}

/** A modal dialog; the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, actions, wide }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={ref} class={wide ? "wide" : ""} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <div class="dialog-body" tabIndex={0}>
        {children}
      </div>
      <div class="buttons">
        {actions}
        <button type="button" class="button" onClick={() => ref.current?.close()}>
          {actions ? texts.cancel : texts.close}
        </button>
      </div>
    </dialog>
  );
}
