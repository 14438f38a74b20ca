import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

interface Props<T extends string> {
  label: string;
  options: Readonly<Record<T, string>>;
  value: T;
  onChange(value: T): void;
  children: ComponentChildren;
}

/** Tabs with the arrow keys that people expect of them. */
export function Tabs<T extends string>({ label, options, value, onChange, children }: Props<T>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const names = Object.keys(options) as T[];
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (names.indexOf(value) + step + names.length) % names.length;
    onChange(names[next]!);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div class="tabbed">
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {names.map((name) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`${id}-${name}`}
            aria-selected={name === value}
            aria-controls={`${id}-panel`}
            tabIndex={name === value ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {options[name]}
          </button>
        ))}
      </div>
      <div class="panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
