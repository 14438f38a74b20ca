import type { RefObject } from "preact";
import type { PlanPoint, ProposalFigures } from "../../api";
import { Frontier, type Mark, type Plotted } from "../../charts/Frontier";
import { inOrder } from "../../charts/frontier";
import { count, percent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Term } from "../../parts/Glossary";
import { Notice, type Tone } from "../../parts/Notice";
import { Scroll } from "../../parts/Scroll";
import { texts } from "../../texts";
import { opened } from "./draft";
import { PlanPanel } from "./PlanPanel";

const words = texts.propose;

/** The plan in words, with a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What was found, as a fact and what to do about it. */
export function sentence(found: ProposalFigures): [string, string] {
  return [found.words, found.gap ? words.result.moreTime : ""];
}

/** Plans to choose from, in words. */
function Named({ found, chosen }: { found: ProposalFigures; chosen: number | null }) {
  if (!found.named.length) return null;
  return (
    <ul class="notes" aria-label={words.named.title}>
      {found.named.map(({ name, point, sentence: told }) => (
        <li key={name}>
          <strong>{words.named[name]}</strong> ({percent(lossOf(found.points[point]!))}): {told}.{" "}
          {point === chosen ? (
            <span class="badge">{words.frontier.opened}</span>
          ) : (
            <Button small more={words.named[name]} onClick={() => (opened.value = point)}>
              {words.frontier.open}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What a plan loses, by the uses that matter if somebody said which. */
function lossOf(point: PlanPoint): number {
  return point.loss_by_uses ?? point.loss;
}

function isByUses({ points }: ProposalFigures): boolean {
  return points.some((each) => each.loss_by_uses !== null);
}

function toneOf({ best, gap }: ProposalFigures): Tone {
  return best === null ? "warn" : gap ? "info" : "good";
}

/** What was found: in words, as a frontier to click, and the plan that is open. */
export function Result({ found, heading }: { found: ProposalFigures; heading: RefObject<HTMLElement> }) {
  const [fact, remedy] = sentence(found);
  const place = opened.value ?? found.taken ?? found.best ?? found.nearest;
  const chosen = place !== null && place < found.points.length ? place : null;
  return (
    <section class="card result" ref={heading} tabIndex={-1} aria-label={words.result.title}>
      <h2>{words.result.title}</h2>
      {found.stale && (
        <Notice tone="warn" title={words.result.stale}>
          {words.result.staleText}
        </Notice>
      )}
      <Notice tone={toneOf(found)} title={fact}>
        {remedy}
      </Notice>
      {found.notes.length > 0 && (
        <ul class="notes hint" aria-label={words.result.notes}>
          {found.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {found.points.length > 0 && (
        <Named found={found} chosen={chosen} />
      )}
      {found.points.length > 0 && (
        <div class="columns proposal">
          <div class="stack">
            <Frontier
              points={found.points.map((each, i) => plotted(each, i, found))}
              byUses={isByUses(found)}
              cap={found.cap === null ? null : found.cap / found.records}
              chosen={chosen}
              choose={(point) => (opened.value = point)}
            />
            <p class="hint">
              <Term name="frontier" />. {words.frontier.keys}
            </p>
            <details>
              <summary>{texts.asTable}</summary>
              <PointTable found={found} chosen={chosen} />
            </details>
          </div>
          {chosen !== null && <PlanPanel found={found} point={chosen} />}
        </div>
      )}
    </section>
  );
}

function plotted(point: PlanPoint, place: number, found: ProposalFigures): Plotted {
  const touched = point.touched / found.records;
  const marks: Mark[] = [];
  if (place === found.best) marks.push("best");
  if (place === found.nearest) marks.push("nearest");
  if (place === found.taken) marks.push("taken");
  return {
    touched,
    loss: lossOf(point),
    named: words.frontier.point(capital(point.words), percent(touched), percent(lossOf(point))),
    marks,
  };
}

function PointTable({ found, chosen }: { found: ProposalFigures; chosen: number | null }) {
  const { heads } = words.frontier;
  const byUses = isByUses(found);
  const order = inOrder(found.points.map((each) => ({ touched: each.touched, loss: lossOf(each) })));
  return (
    <Scroll label={words.frontier.table}>
      <table>
        <caption class="hidden">{words.frontier.table}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {heads.touched}
            </th>
            <th scope="col" class="number">
              {heads.blanks}
            </th>
            {byUses && (
              <th scope="col" class="number">
                {heads.byUses}
              </th>
            )}
            <th scope="col" class="number">
              {byUses ? heads.plainLoss : heads.loss}
            </th>
            <th scope="col">{heads.recodes}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {order.map((place) => {
            const each = found.points[place]!;
            return (
              <tr key={place} class={place === chosen ? "chosen" : ""}>
                <th scope="row" class="number">
                  {count(each.touched)} ({percent(each.touched / found.records)})
                </th>
                <td class="number">{count(each.blanks)}</td>
                {byUses && <td class="number">{percent(lossOf(each))}</td>}
                <td class="number">{percent(each.loss)}</td>
                <td>{Object.keys(each.recodes).join(", ") || words.frontier.none}</td>
                <td class="number">
                  {place === chosen ? (
                    words.frontier.opened
                  ) : (
                    <Button small more={each.words} onClick={() => (opened.value = place)}>
                      {words.frontier.open}
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}
