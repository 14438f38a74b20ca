interface Props<T extends string> {
  label: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onChange(value: T): void;
}

/** A few choices side by side, one of them in force. */
export function Segments<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {(Object.keys(options) as T[]).map((option) => (
        <button type="button" key={option} aria-pressed={option === value} onClick={() => onChange(option)}>
          {options[option]}
        </button>
      ))}
    </div>
  );
}
