import { useState } from "preact/hooks";
import type { Api } from "../../api";
import { download } from "../../download";
import { Browser, type Place } from "../../parts/Browser";
import { Button } from "../../parts/Button";
import { Notice } from "../../parts/Notice";
import { Card } from "../../parts/Page";
import { act, said as say } from "../../state";
import { texts } from "../../texts";
import type { Said } from "./draft";

const words = texts.variables.codebook;
type Format = Api["GET /api/codebook"]["query"]["format"];

/** What is said of variables, as a file: in and out. */
export function CodebookCard({ onTake }: { onTake(said: Said): void }) {
  const [reading, setReading] = useState(false);
  const [place, setPlace] = useState<Place>({ folder: 0, path: "" });
  const [taken, setTaken] = useState<{ many: number; unknown: readonly string[] } | null>(null);
  const read = async (file: Place) => {
    const answer = await act("POST /api/codebook", { body: file });
    if (!answer) return;
    onTake(answer.declarations);
    setTaken({ many: Object.keys(answer.declarations).length, unknown: answer.unknown });
    setReading(false);
  };
  const write = async (format: Format) => {
    const answer = await act("GET /api/codebook", { query: { format } });
    if (!answer) return;
    for (const file of answer.files) download(file.name, file.text);
    say.value = words.written(answer.files.map((each) => each.name).join(", "));
  };
  return (
    <Card title={words.title}>
      <p class="hint">{words.intro}</p>
      {taken && (
        <Notice tone="info" live>
          {words.taken(taken.many)} {taken.unknown.length > 0 && words.unknown(taken.unknown.join(", "))}
        </Notice>
      )}
      <div class="buttons">
        <Button onClick={() => setReading(!reading)}>{reading ? words.hide : words.read}</Button>
        <span class="buttons" role="group" aria-label={words.write}>
          <span>{words.write}:</span>
          {(Object.keys(words.formats) as Format[]).map((format) => (
            <Button small key={format} onClick={() => void write(format)}>
              {words.formats[format]}
            </Button>
          ))}
        </span>
      </div>
      {reading && <Browser place={place} files="codebook" onPlace={setPlace} onFile={(file) => void read(file)} />}
    </Card>
  );
}
