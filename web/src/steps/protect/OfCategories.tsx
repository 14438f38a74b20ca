import type { ComponentChildren } from "preact";
import { useAnswer } from "../../answer";
import type { CategoryCount, VariableProfile } from "../../api";
import { Notice } from "../../parts/Notice";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";

const words = texts.protect.chances;

/** A field that is filled in by the categories of a variable. */
export function OfCategories({ variable, children }: { variable: string; children(found: VariableProfile): ComponentChildren }) {
  const detail = useAnswer("GET /api/variable", { name: variable }, variable !== "");
  if (!variable) return <p class="hint">{words.first}</p>;
  return (
    <Waiting answer={detail}>
      {(found) => (found.categories.length ? children(found) : <Notice tone="info">{words.none}</Notice>)}
    </Waiting>
  );
}

/** A category at the head of its row. */
export function CategoryName({ of: { code, label } }: { of: CategoryCount }) {
  return (
    <th scope="row">
      <code>{code}</code> <span class="hint">{label}</span>
    </th>
  );
}
