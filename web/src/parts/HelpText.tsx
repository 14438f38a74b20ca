import { h, type ComponentChild } from "preact";
import { openHelp, type HelpNode } from "../help";
import { texts } from "../texts";
import { Scroll } from "./Scroll";

interface Props {
  body: readonly HelpNode[];
  pictures: Readonly<Record<string, string>>;
}

/** A page of the documentation, drawn from its tree; its headings stand below that of the drawer. */
export function HelpText({ body, pictures }: Props) {
  const drawing = { pictures, parts: 0 };
  return <div class="help-text">{body.map((node, i) => draw(node, drawing, i))}</div>;
}

/** The name in the page of a heading of the documentation. */
export function anchorOf(id: string): string {
  return `help-${id}`;
}

const DEEPEST = 6;

interface Drawing {
  readonly pictures: Props["pictures"];
  /** Tables and examples so far: each has a name of its own for those who jump from part to part. */
  parts: number;
}

function draw(node: HelpNode, drawing: Drawing, key: number): ComponentChild {
  if (typeof node === "string") return node;
  const [tag, { to, href, picture, id, ...rest }, ...inner] = node;
  const children = inner.map((each, i) => draw(each, drawing, i));
  if (to) {
    return (
      <button key={key} type="button" class="link" onClick={() => openHelp(to)}>
        {children}
      </button>
    );
  }
  if (href) {
    return (
      <a key={key} href={href} target="_blank" rel="noopener noreferrer">
        {children}
        <span class="hidden"> {texts.help.external}</span>
      </a>
    );
  }
  if (picture) return <img key={key} src={drawing.pictures[picture]} alt={rest["alt"] ?? ""} />;
  if (tag === "table" || tag === "pre") {
    drawing.parts += 1;
    const label = `${tag === "table" ? texts.help.table : texts.help.example} ${drawing.parts}`;
    return (
      <Scroll key={key} label={label}>
        {h(tag, {}, children)}
      </Scroll>
    );
  }
  if (id) return h(`h${Math.min(Number(tag[1]) + 2, DEEPEST)}`, { key, id: anchorOf(id), tabIndex: -1 }, children);
  return h(tag, { ...rest, key }, children);
}
