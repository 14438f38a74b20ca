interface Props {
  wiring?: object;
  value: string;
  onChange(text: string): void;
  label?: string;
  placeholder?: string;
}

/** A text that is taken over once it is entered, so that half a list is none. */
export function TextInput({ wiring, value, onChange, label, placeholder }: Props) {
  return (
    <input
      type="text"
      {...wiring}
      {...(label ? { "aria-label": label } : {})}
      {...(placeholder ? { placeholder } : {})}
      value={value}
      onChange={(event) => event.currentTarget.value !== value && onChange(event.currentTarget.value)}
    />
  );
}
