import { useRef } from "preact/hooks";
import type { Recode, StepInput } from "../../api";
import { download } from "../../download";
import { Button } from "../../parts/Button";
import { act } from "../../state";
import { texts } from "../../texts";

const words = texts.protect.recode;

interface Props {
  variable: string;
  step: StepInput | null;
  onRead(step: Recode, name: string, notices: readonly string[]): void;
}

/** Recodes of mu-ARGUS in and out. */
export function GrcFiles({ variable, step, onRead }: Props) {
  const chooser = useRef<HTMLInputElement>(null);
  const read = async (files: readonly File[]) => {
    const grc = files.find((file) => file.name.toLowerCase().endsWith(".grc")) ?? files[0];
    if (!grc) return;
    const list = files.find((file) => file !== grc);
    const answer = await act("POST /api/grc", {
      body: {
        variable,
        name: grc.name,
        text: await grc.text(),
        ...(list ? { codelist_name: list.name, codelist: await list.text() } : {}),
      },
    });
    if (answer) onRead(answer.step, grc.name, answer.notices);
  };
  const write = async () => {
    if (step?.do !== "recode") return;
    const answer = await act("POST /api/grc/export", { body: step });
    if (!answer) return;
    download(answer.name, answer.text);
    if (answer.codelist) download(answer.codelist_name, answer.codelist);
  };
  return (
    <div class="buttons" role="group" aria-label={words.grc}>
      <input
        ref={chooser}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-hidden="true"
        accept=".grc,.cdl"
        multiple
        onChange={(event) => {
          void read([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
      <Button small onClick={() => chooser.current?.click()}>
        {words.importGrc}
      </Button>
      {step?.do === "recode" && step.groups && (
        <Button small onClick={() => void write()}>
          {words.exportGrc}
        </Button>
      )}
      <span class="hint">{words.importHint}</span>
    </div>
  );
}
