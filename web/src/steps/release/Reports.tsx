import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../../answer";
import type { ReleasedPlan, ReleaseList, ReportLink } from "../../api";
import { save, show } from "../../download";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { Notice } from "../../parts/Notice";
import { Card } from "../../parts/Page";
import { act, released, said } from "../../state";
import { texts } from "../../texts";

const words = texts.release.reports;
type ReportFormat = ReleaseList["formats"][number];
const FILES = ["pdf", "docx"] as const;
const AUDIENCES = ["board", "public"] as const;
const PAUSE = 400; // milliseconds after which a folder that is typed is looked into

interface Place {
  readonly folder: number;
  readonly path: string;
}

/** Reports on the releases in a folder: opened here, or downloaded as PDF and Word. */
export function Reports({ folder, path }: Place) {
  const [place, setPlace] = useState<Place>({ folder, path });
  const [ready, setReady] = useState<ReportLink | null>(null);
  const [read, setRead] = useState<ReportLink | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setPlace({ folder, path }), PAUSE);
    return () => clearTimeout(timer);
  }, [folder, path]);
  const written = JSON.stringify(released.value?.files ?? []);
  const { value } = useAnswer("GET /api/releases", { ...place }, true, written);
  if (place.folder !== folder || place.path !== path || !value?.plans.length) return null;
  const get = async (plan: string, audience: "board" | "public", format: ReportFormat) => {
    setReady(null);
    const link = await act("POST /api/report", { body: { ...place, plan, audience, format } });
    if (!link) return;
    if (format === "html") {
      show(link.address);
      setReady(link);
      said.value = words.ready(link.name);
    } else {
      save(link.name, link.address);
      said.value = words.saved(link.name);
    }
  };
  const readHere = async (plan: string, audience: "board" | "public") => {
    setRead(await act("POST /api/report", { body: { ...place, plan, audience, format: "html" } }));
  };
  const lacking = FILES.some((format) => !value.formats.includes(format));
  return (
    <Card title={words.title}>
      <p class="hint">
        {words.intro} {lacking && words.library}
      </p>
      {value.plans.map((plan) => (
        <Row key={plan.plan} plan={plan} formats={value.formats} onGet={get} onRead={readHere} named={value.plans.length > 1} />
      ))}
      {read && (
        <Dialog title={words.framed(read.name)} onClose={() => setRead(null)}>
          <iframe src={read.address} title={words.framed(read.name)} sandbox="allow-downloads" />
        </Dialog>
      )}
      {ready && (
        <Notice tone="good">
          {words.ready(ready.name)}{" "}
          <a href={ready.address} target="_blank" rel="noopener noreferrer">
            {words.again}
          </a>
        </Notice>
      )}
    </Card>
  );
}

interface RowProps {
  plan: ReleasedPlan;
  formats: readonly ReportFormat[];
  named: boolean;
  onGet(plan: string, audience: "board" | "public", format: ReportFormat): Promise<void>;
  onRead(plan: string, audience: "board" | "public"): Promise<void>;
}

function Row({ plan, formats, named, onGet, onRead }: RowProps) {
  return (
    <div class="reports">
      {named && <h3>{words.of(plan.plan, plan.file)}</h3>}
      {AUDIENCES.map((audience) => (
        <div key={audience} class="report" role="group" aria-label={words.audiences[audience]}>
          <span>{words.audiences[audience]}</span>
          <span class="buttons">
            <Button small onClick={() => void onRead(plan.plan, audience)}>
              {words.read}
            </Button>
            <Button kind="quiet" small onClick={() => void onGet(plan.plan, audience, "html")}>
              {words.open}
            </Button>
            {FILES.filter((format) => formats.includes(format)).map((format) => (
              <Button
                key={format}
                kind="quiet"
                small
                more={words.download}
                onClick={() => void onGet(plan.plan, audience, format)}
              >
                {words[format]}
              </Button>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}
