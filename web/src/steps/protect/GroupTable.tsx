import { useState } from "preact/hooks";
import type { CategoryCount, VariableProfile } from "../../api";
import { count } from "../../numbers";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { texts } from "../../texts";
import { groupOf, merged, type Group } from "./recoding";
import { Scroll } from "../../parts/Scroll";

const words = texts.protect.recode;

interface Props {
  detail: VariableProfile;
  groups: readonly Group[];
  onChange(groups: Group[]): void;
}

/** Categories to mark, and the groups made of them. */
export function GroupTable({ detail, groups, onChange }: Props) {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  if (!detail.categories.length) return <Notice tone="info">{words.noCategories}</Notice>;
  const toggle = (code: string) =>
    setMarked(new Set(marked.has(code) ? [...marked].filter((each) => each !== code) : [...marked, code]));
  const group = () => {
    onChange(merged(groups, marked, detail.categories));
    setMarked(new Set());
  };
  return (
    <>
      <p class="hint">{words.groupsIntro}</p>
      <Scroll label={texts.open.show(detail.name)} tall>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">{words.heads.mark}</span>
              </th>
              <th scope="col">{words.heads.category}</th>
              <th scope="col" class="number">
                {words.heads.records}
              </th>
              <th scope="col">{words.heads.becomes}</th>
            </tr>
          </thead>
          <tbody>
            {detail.categories.map((each) => (
              <Row
                key={each.code}
                category={each}
                group={groupOf(groups, each.code)}
                marked={marked.has(each.code)}
                toggle={() => toggle(each.code)}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      <div class="buttons">
        <Button blocked={marked.size < 2 ? words.needTwo : null} onClick={group}>
          {words.group}
        </Button>
        {marked.size >= 2 && <span class="hint">{words.marked(marked.size)}</span>}
      </div>
      {groups.map((each, i) => (
        <GroupFields
          key={each.members.join()}
          group={each}
          put={(next) => onChange(groups.map((old, j) => (j === i ? next : old)))}
          remove={() => onChange(groups.filter((_, j) => j !== i))}
        />
      ))}
    </>
  );
}

interface RowProps {
  category: CategoryCount;
  group: Group | undefined;
  marked: boolean;
  toggle(): void;
}

function Row({ category, group, marked, toggle }: RowProps) {
  const named = `${category.code} ${category.label}`.trim();
  return (
    <tr class={marked ? "chosen" : ""}>
      <td>
        <input type="checkbox" aria-label={words.mark(named)} checked={marked} onChange={toggle} />
      </td>
      <td>
        <code>{category.code}</code> {category.label}
      </td>
      <td class="number">{count(category.records)}</td>
      <td>
        {group && (
          <>
            <code>{group.code}</code> {group.label}
          </>
        )}
      </td>
    </tr>
  );
}

function GroupFields({ group, put, remove }: { group: Group; put(group: Group): void; remove(): void }) {
  return (
    <div class="group-fields">
      <Field label={words.code}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            value={group.code}
            onInput={(event) => put({ ...group, code: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={words.label}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            value={group.label}
            onInput={(event) => put({ ...group, label: event.currentTarget.value })}
          />
        )}
      </Field>
      <Button small more={group.code} onClick={remove}>
        {words.ungroup}
      </Button>
    </div>
  );
}
