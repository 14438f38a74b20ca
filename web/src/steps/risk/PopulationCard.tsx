import { useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { PopulationFigures } from "../../api";
import { count, figure, plain } from "../../numbers";
import { Browser, type Place } from "../../parts/Browser";
import { Button } from "../../parts/Button";
import { Field } from "../../parts/Field";
import { Notice } from "../../parts/Notice";
import { Card, Figures } from "../../parts/Page";
import { TextInput } from "../../parts/TextInput";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";

const words = texts.risk.population;

/** Known counts of the population beside the estimates, once a file with them was chosen. */
export function PopulationCard({ scenario }: { scenario: string }) {
  const [place, setPlace] = useState<Place | null>(null);
  const [chosen, setChosen] = useState<Place | null>(null);
  const [variable, setVariable] = useState("");
  const choose = (file: Place) => {
    setChosen(file);
    setPlace(null);
  };
  return (
    <Card title={words.title}>
      <p class="hint">{words.intro}</p>
      <Field label={words.count} hint={words.countHint}>
        {(wiring) => (
          <TextInput wiring={wiring} value={variable} onChange={(text) => setVariable(text.trim())} />
        )}
      </Field>
      <div class="buttons">
        <Button small onClick={() => setPlace(place ? null : { folder: 0, path: "" })}>
          {chosen ? words.other : words.choose}
        </Button>
      </div>
      {place && <Browser place={place} onPlace={setPlace} onFile={choose} />}
      {chosen && <Check scenario={scenario} place={chosen} variable={variable} />}
    </Card>
  );
}

function Check({ scenario, place, variable }: { scenario: string; place: Place; variable: string }) {
  const answer = useAnswer("GET /api/population", { scenario, ...place, count: variable });
  return <Waiting answer={answer}>{(found) => <Shown found={found} />}</Waiting>;
}

function Shown({ found }: { found: PopulationFigures }) {
  return (
    <>
      <Figures
        figures={[
          { name: words.people, value: count(found.people), note: words.weights(count(found.estimated_people)) },
          { name: words.expected, value: figure(found.expected, 4), note: words.times(plain(found.ratio, 3)) },
          { name: words.uniques, value: count(found.population_uniques) },
          { name: words.differing, value: count(found.differing) },
        ]}
      />
      {found.notices.map((text) => (
        <Notice key={text} tone="warn" children={text} />
      ))}
    </>
  );
}
