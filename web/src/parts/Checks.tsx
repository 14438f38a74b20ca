interface Props {
  title: string;
  hint?: string;
  options: readonly string[];
  value: readonly string[];
  /** Whether they are names of variables. */
  code?: boolean;
  onChange(value: string[]): void;
}

/** Some of a few. */
export function Checks({ title, hint, options, value, code, onChange }: Props) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="checks">
        {options.map((each) => (
          <label class="choice" key={each}>
            <input
              type="checkbox"
              checked={value.includes(each)}
              onChange={(event) => {
                const on = event.currentTarget.checked;
                onChange(options.filter((one) => (one === each ? on : value.includes(one))));
              }}
            />
            {code ? <code>{each}</code> : each}
          </label>
        ))}
      </div>
      {hint && <span class="hint">{hint}</span>}
    </fieldset>
  );
}

interface SwitchProps {
  label: string;
  hint?: string;
  value: boolean;
  onChange(value: boolean): void;
}

/** One thing that is so or not. */
export function Switch({ label, hint, value, onChange }: SwitchProps) {
  return (
    <label class="choice">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </label>
  );
}
