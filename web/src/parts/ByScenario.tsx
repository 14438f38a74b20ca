import type { ComponentChildren } from "preact";
import { limitFor, type Limit } from "../limits";
import { texts } from "../texts";
import { Button } from "./Button";
import { NumberInput } from "./NumberInput";

const words = texts.several.by;

interface Props {
  label: string;
  hint?: string;
  /** Names of the scenarios that may have one. */
  scenarios: readonly string[];
  value: Limit | null;
  min: number;
  max: number;
  whole?: boolean;
  /** Whether it may be left out for all; each scenario may always do without. */
  optional?: boolean;
  onChange(value: Limit | null): void;
}

/** A number for all scenarios, or one for each of them. */
export function ByScenario({ label, hint, scenarios, value, optional, onChange, ...bounds }: Props) {
  if (value === null || typeof value === "number") {
    const each = () => onChange(Object.fromEntries(scenarios.map((name) => [name, value ?? bounds.max])));
    return (
      <div class="by-scenario">
        <NumberInput
          label={label}
          {...(hint ? { hint } : {})}
          value={value}
          {...bounds}
          {...(optional ? { optional, onEmpty: () => onChange(null) } : {})}
          onChange={onChange}
        />
        {scenarios.length > 1 && value !== null && (
          <Button small kind="quiet" onClick={each} more={words.of(label)}>
            {words.each}
          </Button>
        )}
      </div>
    );
  }
  const put = (name: string, number: number | null) => {
    const { [name]: _, ...others } = value;
    onChange(number === null ? others : { ...others, [name]: number });
  };
  const names = [...new Set([...scenarios, ...Object.keys(value)])];
  const first = names.map((name) => limitFor(value, name)).find((each) => each !== null) ?? null;
  return (
    <fieldset class="by-scenario">
      <legend>{label}</legend>
      <div class="row many">
        {names.map((name) => (
          <NumberInput
            key={name}
            label={<Of scenario={name} what={label} />}
            value={limitFor(value, name)}
            {...bounds}
            optional
            onChange={(number) => put(name, number)}
            onEmpty={() => put(name, null)}
          />
        ))}
      </div>
      <span class="hint">{hint ? `${hint} ${words.empty}` : words.empty}</span>
      <div>
        <Button small kind="quiet" onClick={() => onChange(first)} more={words.of(label)}>
          {words.one}
        </Button>
      </div>
    </fieldset>
  );
}

function Of({ scenario, what }: { scenario: string; what: string }): ComponentChildren {
  return (
    <>
      <span class="hidden">{what}: </span>
      {scenario}
    </>
  );
}
