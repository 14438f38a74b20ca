import type { ComponentChildren, JSX } from "preact";
import { useId } from "preact/hooks";

interface Props {
  label: ComponentChildren;
  hint?: ComponentChildren;
  fault?: string | null | undefined;
  children(wiring: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }): JSX.Element;
}

/** A label, a control, and below it a hint or what is wrong. */
export function Field({ label, hint, fault, children }: Props) {
  const id = useId();
  const described = fault ? `${id}-fault` : hint ? `${id}-hint` : null;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described ? { "aria-describedby": described } : {}),
        ...(fault ? { "aria-invalid": true as const } : {}),
      })}
      {hint && !fault && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {fault && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}
