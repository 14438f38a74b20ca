import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import { GROUPS, type VariableProfile } from "../../api";
import { count, percent } from "../../numbers";
import { Notice } from "../../parts/Notice";
import { Card } from "../../parts/Page";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";
import { CategoryTable } from "./CategoryTable";
import { Scroll } from "../../parts/Scroll";

const { heads } = texts.open;
const MANY = 15;

export function VariableTable() {
  const answer = useAnswer("GET /api/variables", null);
  return (
    <Card title={texts.open.variables}>
      <Waiting answer={answer}>
        {(found) => <Table variables={found.variables} records={found.records} />}
      </Waiting>
    </Card>
  );
}

function Table({ variables, records }: { variables: readonly VariableProfile[]; records: number }) {
  const [sought, setSought] = useState("");
  const [shown, setShown] = useState<string | null>(null);
  const found = variables.filter((each) => matches(each, sought));
  const identifiers = variables.filter((each) => each.role === "identifier");
  return (
    <>
      {identifiers.length > 0 && (
        <Notice tone="warn">{texts.open.identifiers(identifiers.map((each) => each.name).join(", "))}</Notice>
      )}
      {variables.length > MANY && (
        <input
          type="search"
          class="find"
          aria-label={texts.open.filter}
          placeholder={texts.open.filter}
          value={sought}
          onInput={(event) => setSought(event.currentTarget.value)}
        />
      )}
      <Scroll label={texts.open.variables}>
        <table class="variables">
          <thead>
            <tr>
              <th scope="col">{heads.name}</th>
              <th scope="col">{heads.kind}</th>
              <th scope="col" class="number">
                {heads.categories}
              </th>
              <th scope="col" class="number">
                {heads.missing}
              </th>
              <th scope="col">{heads.role}</th>
            </tr>
          </thead>
          <tbody>
            {found.map((each) => (
              <Fragment key={each.name}>
                <Row
                  variable={each}
                  records={records}
                  open={shown === each.name}
                  toggle={() => setShown(shown === each.name ? null : each.name)}
                />
                {shown === each.name && (
                  <tr class="detail">
                    <td colSpan={5}>
                      <CategoryTable name={each.name} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

export function matches({ name, label }: { name: string; label: string }, sought: string): boolean {
  return `${name} ${label}`.toLowerCase().includes(sought.trim().toLowerCase());
}

interface RowProps {
  variable: VariableProfile;
  records: number;
  open: boolean;
  toggle(): void;
}

function Row({ variable, records, open, toggle }: RowProps) {
  const { name, label, kind, measure, distinct, missing } = variable;
  return (
    <tr>
      <th scope="row">
        <button type="button" class="fold" aria-expanded={open} onClick={toggle}>
          <span aria-hidden="true">{open ? "▾" : "▸"}</span> <code>{name}</code>
        </button>
        {label && <span class="under">{label}</span>}
      </th>
      <td>
        {texts.open.kinds[kind]} <span class="hint">{texts.open.measures[measure]}</span>
      </td>
      <td class="number">{count(distinct)}</td>
      <td class="number">
        {count(missing)} {missing > 0 && <span class="hint">({percent(missing / records)})</span>}
      </td>
      <td>
        <Guess variable={variable} />
      </td>
    </tr>
  );
}

/** What a variable is probably for, and by what that was recognised. */
function Guess({ variable: { role, place, group, sensitive, meaning, reason } }: { variable: VariableProfile }) {
  const { roles, proposedKey, sensitive: delicate } = texts.open;
  const name = place === null ? roles[role] : proposedKey(place);
  return (
    <>
      {role !== "other" ? <span class="badge">{name}</span> : group === "answer" && !reason && name}{" "}
      {role === "other" && group !== "answer" && !sensitive && <span class="badge">{GROUPS[group][0]}</span>}
      {sensitive && <span class="badge warn">{delicate}</span>}
      {(reason || meaning) && <span class="under">{reason || meaning}</span>}
    </>
  );
}
