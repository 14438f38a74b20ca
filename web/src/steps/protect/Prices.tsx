import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../../answer";
import type { GuaranteePrices, PriceRow, Suppress } from "../../api";
import { ask, Refusal } from "../../client";
import { count, percent } from "../../numbers";
import { Button } from "../../parts/Button";
import { Scroll } from "../../parts/Scroll";
import { Waiting } from "../../parts/Waiting";
import { dataKey } from "../../state";
import { texts } from "../../texts";

const words = texts.protect.suppress.prices;

type Asked = Omit<Suppress, "why">;
type Guarantee = Suppress["guarantee"];

interface Props {
  /** The suppression in hand; null as long as something is lacking. */
  step: Asked | null;
  chosen: Guarantee;
  onTake(guarantee: Guarantee): void;
}

/** What each guarantee costs, side by side: counted when asked for. */
export function Prices({ step, chosen, onTake }: Props) {
  const key = step && JSON.stringify([step, dataKey.value]);
  const { answer, start, stop } = usePrices(step, key);
  if (!step) return null;
  return (
    <div class="stack" role="group" aria-label={words.title}>
      {!answer.value && !answer.waiting && (
        <div class="buttons">
          <Button small onClick={start}>
            {words.ask}
          </Button>
          <span class="hint">{words.askHint}</span>
        </div>
      )}
      <Waiting answer={answer} onCancel={stop}>
        {({ prices }) => <Table prices={prices} chosen={chosen} onTake={onTake} />}
      </Waiting>
    </div>
  );
}

interface State extends Omit<Answer<GuaranteePrices>, "retry"> {
  readonly key: string | null;
}

const NOTHING: State = { key: null, value: null, refusal: null, waiting: null };

/** Prices of what is in hand; those of something else are forgotten, and no longer worked on. */
function usePrices(step: Asked | null, key: string | null) {
  const [state, setState] = useState<State>(NOTHING);
  const running = useRef<AbortController | null>(null);
  const stop = () => {
    running.current?.abort();
    running.current = null;
    setState(NOTHING);
  };
  useLayoutEffect(() => () => running.current?.abort(), [key]);
  const start = () => {
    if (!step) return;
    const mine = new AbortController();
    running.current?.abort();
    running.current = mine;
    const put = (part: Partial<State>) => {
      if (!mine.signal.aborted) setState({ ...NOTHING, key, ...part });
    };
    put({ waiting: { stage: "", fraction: 0 } });
    ask("POST /api/guarantees", {
      body: step,
      signal: mine.signal,
      progress: (stage, fraction) => put({ waiting: { stage, fraction } }),
    }).then(
      (value) => put({ value }),
      (error: unknown) => {
        if (error instanceof Refusal) put({ refusal: error });
        else throw error;
      },
    );
  };
  const { key: of, ...told } = state.key === key ? state : NOTHING;
  return { answer: { ...told, retry: start }, start, stop };
}

/** A column for each guarantee, so that what each costs stands side by side. */
function Table({ prices, chosen, onTake }: { prices: readonly PriceRow[] } & Omit<Props, "step">) {
  const { heads } = words;
  const rows: [string, (price: PriceRow) => string][] = [
    [heads.blanks, (price) => count(price.blanks)],
    [heads.records, (price) => count(price.records)],
    [heads.lost, (price) => percent(price.lost)],
    [heads.leaning, (price) => count(price.leaning)],
  ];
  if (prices.some((price) => price.guessed !== null)) {
    rows.push([heads.guessed, (price) => (price.guessed === null ? "–" : count(price.guessed))]);
  }
  if (prices.some((price) => price.stuck > 0)) rows.push([heads.stuck, (price) => count(price.stuck)]);
  const refused = prices.filter((price) => price.refusal);
  return (
    <>
      <Scroll label={words.title}>
        <table class="prices">
          <caption class="hidden">{words.title}</caption>
          <thead>
            <tr>
              <th scope="col">{heads.figure}</th>
              {prices.map(({ guarantee }) => (
                <th scope="col" class="number" key={guarantee}>
                  {guarantee}
                  {guarantee === chosen && <span class="under">{words.chosen}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, shown]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {prices.map((price) => (
                  <td class="number" key={price.guarantee}>
                    {price.refusal ? "–" : shown(price)}
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">
                <span class="hidden">{heads.take}</span>
              </th>
              {prices.map(({ guarantee, refusal }) => (
                <td class="number" key={guarantee}>
                  {refusal ? (
                    "–"
                  ) : (
                    <Button small onClick={() => onTake(guarantee)} more={guarantee}>
                      {words.take}
                    </Button>
                  )}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </Scroll>
      {refused.map(({ guarantee, refusal }) => (
        <p class="hint" key={guarantee}>
          {words.refused(guarantee, refusal)}
        </p>
      ))}
      <p class="hint">{words.meaning}</p>
    </>
  );
}
