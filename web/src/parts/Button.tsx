import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  children: ComponentChildren;
  onClick(): void;
  kind?: "primary" | "quiet" | "";
  small?: boolean;
  /** Why it cannot be pressed now; said beside it, and the button keeps the focus. */
  blocked?: string | null | undefined;
  /** What more those hear who do not see what it belongs to. */
  more?: string;
}

/** A button that, when it cannot be pressed, says why. */
export function Button({ children, onClick, kind = "", small, blocked, more }: Props) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        class={`button ${kind} ${small ? "small" : ""}`}
        aria-disabled={blocked ? "true" : undefined}
        aria-describedby={blocked ? id : undefined}
        onClick={() => {
          if (!blocked) onClick();
        }}
      >
        {children}
        {more && <span class="hidden"> {more}</span>}
      </button>
      {blocked && (
        <span class="hint" id={id}>
          {blocked}
        </span>
      )}
    </>
  );
}
