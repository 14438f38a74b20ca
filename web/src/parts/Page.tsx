import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { topicOf, topicOfStep, type Topic } from "../help";
import { HelpMark } from "./HelpMark";

interface HeadingProps {
  title: string;
  children?: ComponentChildren;
  /** What the drawer says about it, if not what it says about the step. */
  help?: Topic;
}

/** Heading of a step; takes the focus when the step is gone to. */
export function Heading({ title, children, help = topicOfStep() }: HeadingProps) {
  const id = useId();
  return (
    <header data-help={help}>
      <div class="heading">
        <h1 id={id} tabIndex={-1}>
          {title}
        </h1>
        <HelpMark topic={help} about={id} />
      </div>
      {children && <p>{children}</p>}
    </header>
  );
}

interface CardProps {
  title?: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
  /** What the drawer says about it, if that does not follow from its title. */
  help?: Topic;
}

export function Card({ title, aside, children, class: name = "", help }: CardProps) {
  const id = useId();
  const topic = topicOf(title, help);
  return (
    <section class={`card ${name}`} data-help={topic}>
      {title && (
        <header>
          <div class="heading">
            <h2 id={id}>{title}</h2>
            <HelpMark topic={topic} about={id} />
          </div>
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
