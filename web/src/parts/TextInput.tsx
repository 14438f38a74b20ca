import { useState } from "preact/hooks";

interface Props {
  wiring?: object;
  value: string;
  onChange(text: string): void;
  label?: string;
  placeholder?: string;
  /** Whether it is a number, for which a telephone has other keys. */
  decimal?: boolean;
}

/**
 * A text that is taken over once it is entered, so that half a list is none.
 *
 * What is being typed is kept here: the page may be drawn anew meanwhile.
 */
export function TextInput({ wiring, value, onChange, label, placeholder, decimal }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const enter = (text: string) => {
    setTyped(null);
    if (text !== value) onChange(text);
  };
  return (
    <input
      type="text"
      {...wiring}
      {...(label ? { "aria-label": label } : {})}
      {...(placeholder ? { placeholder } : {})}
      {...(decimal ? { inputMode: "decimal" as const, autocomplete: "off" } : {})}
      value={typed ?? value}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => enter(event.currentTarget.value)}
      onBlur={() => setTyped(null)} // where the same was typed again, nothing has changed
    />
  );
}
