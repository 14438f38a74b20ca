import { useState } from "preact/hooks";
import type { StepInput } from "../../api";
import { Choices } from "../../parts/Choices";
import { Field } from "../../parts/Field";
import { NumberInput } from "../../parts/NumberInput";
import { texts } from "../../texts";
import { CategoryTable } from "../open/CategoryTable";
import { usePreview } from "./preview";
import { PreviewPanel } from "./PreviewPanel";
import { Variables } from "./StepForm";
import { useVariables, VariableChoice } from "./VariableChoice";

const words = texts.protect.code;

/** Top and bottom coding. */
export function CodeEnds() {
  const variables = useVariables((each) => each.numeric);
  const all = useVariables();
  const [chosen, setChosen] = useState("");
  const [end, setEnd] = useState<"top_code" | "bottom_code">("top_code");
  const [by, setBy] = useState<"limit" | "share">("limit");
  const [share, setShare] = useState<number | null>(null);
  const [replace, setReplace] = useState<"mean" | "median" | "limit">("mean");
  const [strata, setStrata] = useState<readonly string[]>([]);
  const [bound, setBound] = useState<number | null>(null);
  const [code, setCode] = useState("");
  const [label, setLabel] = useState("");
  const variable = variables.some((each) => each.name === chosen) ? chosen : (variables[0]?.name ?? "");
  const others = all.filter((each) => each.name !== variable);
  const given = by === "limit" ? bound : share;
  const step: StepInput | null =
    given === null || !variable
      ? null
      : by === "share"
        ? { do: end, variable, share: given / 100, replace, ...(strata.length ? { strata } : {}) }
        : {
            do: end,
            variable,
            limit: given,
            ...(code.trim() ? { code: code.trim() } : {}),
            label: label.trim(),
          };
  const preview = usePreview(step);
  const clear = () => {
    setBound(null);
    setShare(null);
    setStrata([]);
    setCode("");
    setLabel("");
  };
  if (!variables.length) return <p class="hint">{words.none}</p>;
  return (
    <div class="editor">
      <div class="stack">
        <VariableChoice
          variables={variables}
          value={variable}
          onChange={(name) => {
            setChosen(name);
            clear();
          }}
        />
        <Choices<"top_code" | "bottom_code">
          title={words.which}
          options={words.ends}
          value={end}
          onChange={setEnd}
        />
        <Choices<"limit" | "share"> title={words.by} options={words.ways} value={by} onChange={setBy} />
        {by === "share" ? (
          <>
            <NumberInput
              label={words.share}
              hint={words.shareHint}
              value={share}
              min={0}
              max={50}
              optional
              onChange={setShare}
              onEmpty={() => setShare(null)}
            />
            <Choices<"mean" | "median" | "limit">
              title={words.replace}
              options={words.values}
              value={replace}
              onChange={setReplace}
            />
            <details>
              <summary>
                {words.strata}: {strata.join(", ") || texts.protect.more.none}
              </summary>
              <Variables
                field={{ label: words.strata, help: words.strataHint, required: false, ordered: false }}
                variables={others}
                value={strata}
                onChange={(names) => setStrata(names as string[])}
              />
            </details>
          </>
        ) : (
          <>
            <NumberInput
              label={words.bound}
              hint={words.boundHint}
              value={bound}
              min={-Infinity}
              max={Infinity}
              optional
              onChange={setBound}
              onEmpty={() => setBound(null)}
            />
            <div class="row">
              <Field label={words.newCode} hint={words.newCodeHint}>
                {(wiring) => (
                  <input
                    {...wiring}
                    type="text"
                    value={code}
                    onInput={(event) => setCode(event.currentTarget.value)}
                  />
                )}
              </Field>
              <Field label={words.label} hint={words.labelHint}>
                {(wiring) => (
                  <input
                    {...wiring}
                    type="text"
                    value={label}
                    onInput={(event) => setLabel(event.currentTarget.value)}
                  />
                )}
              </Field>
            </div>
          </>
        )}
        <details>
          <summary>{texts.open.show(variable)}</summary>
          <CategoryTable name={variable} />
        </details>
      </div>
      <PreviewPanel step={step} preview={preview} onApplied={clear} />
    </div>
  );
}
