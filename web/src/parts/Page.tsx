import type { ComponentChildren } from "preact";

/** Heading of a step; takes the focus when the step is gone to. */
export function Heading({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <header>
      <h1 tabIndex={-1}>{title}</h1>
      {children && <p>{children}</p>}
    </header>
  );
}

interface CardProps {
  title?: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

export function Card({ title, aside, children, class: name = "" }: CardProps) {
  return (
    <section class={`card ${name}`}>
      {title && (
        <header>
          <h2>{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}

export interface Figure {
  readonly name: ComponentChildren;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
}

/** A few figures in large type, each with its name below. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map((each, i) => (
        <div key={i}>
          <dt>{each.name}</dt>
          <dd>
            {each.value} {each.note && <small>{each.note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
