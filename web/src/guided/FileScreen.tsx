import type { GuideColumn, GuideFigures } from "../api";
import { count } from "../numbers";
import { Button } from "../parts/Button";
import { Notice } from "../parts/Notice";
import { Heading } from "../parts/Page";
import { Scroll } from "../parts/Scroll";
import { go, study } from "../state";
import { texts } from "../texts";
import { way } from "../way";
import { Foot } from "./Foot";
import { decide } from "./state";

const words = texts.guide.file;
const NAMED = 4;

/** Decision 1: how the file was read. */
export function FileScreen({ found }: { found: GuideFigures }) {
  const { notices } = study.value!;
  const otherwise = () => {
    way.value = "all";
    go("variables");
  };
  return (
    <>
      <Heading title={words.title}>{words.intro}</Heading>
      <p>
        <strong>{words.facts(count(found.records), count(found.columns.length))}.</strong>{" "}
        {found.weight ? words.weight(found.weight) : words.noWeight} {found.household && words.household(found.household)}
      </p>
      <FirstRecords columns={found.columns} />
      {found.persons && (
        <Notice tone="info">
          {words.persons(found.persons)} <Button onClick={() => void decide({ by_record: true })}>{words.byRecord}</Button>
        </Notice>
      )}
      {found.words.map((each) => (
        <Notice key={each.word} tone="info">
          {words.missing(count(each.values), each.word, where(each.variables))}{" "}
          <Button onClick={() => void decide({ answer: each.word })}>{words.answer(each.word)}</Button>
        </Notice>
      ))}
      {notices.slice(0, 2).map((each) => (
        <Notice key={each.text} tone="info" children={each.text} />
      ))}
      {!found.persons && !found.words.length && !notices.length && <p class="hint">{words.fine}</p>}
      <Foot>
        <Button onClick={otherwise}>{words.change}</Button>
      </Foot>
    </>
  );
}

/** Some variables by name, many by their number. */
function where(names: readonly string[]): string {
  return names.length > NAMED ? words.several(count(names.length)) : names.join(", ");
}

function FirstRecords({ columns }: { columns: readonly GuideColumn[] }) {
  const rows = Math.max(0, ...columns.map((each) => each.values.length));
  return (
    <Scroll label={words.table} tall>
      <table class="first-records">
        <caption class="hidden">{words.table}</caption>
        <thead>
          <tr>
            {columns.map((each) => (
              <th key={each.name} scope="col">
                {each.name}
                <span class="under" title={each.label}>
                  {each.kind}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row}>
              {columns.map((each) => (
                <td key={each.name}>{each.masked ? <span title={words.masked}>•••</span> : each.values[row]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
