import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  children: ComponentChildren;
  onClick(): void;
  kind?: "primary" | "quiet" | "";
  small?: boolean;
  /** Why it cannot be pressed now; said beside it, and the button keeps the focus. */
  blocked?: string | null | undefined;
  label?: string;
}

/** A button that, when it cannot be pressed, says why. */
export function Button({ children, onClick, kind = "", small, blocked, label }: Props) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        class={`button ${kind} ${small ? "small" : ""}`}
        aria-disabled={blocked ? "true" : undefined}
        aria-describedby={blocked ? id : undefined}
        aria-label={label}
        onClick={() => {
          if (!blocked) onClick();
        }}
      >
        {children}
      </button>
      {blocked && (
        <span class="hint" id={id}>
          {blocked}
        </span>
      )}
    </>
  );
}
