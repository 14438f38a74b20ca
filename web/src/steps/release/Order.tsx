import { useState } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Choices } from "../../parts/Choices";
import { Field } from "../../parts/Field";
import { Card } from "../../parts/Page";
import { change, said, study } from "../../state";
import { texts } from "../../texts";

const words = texts.release.order;

interface Props {
  /** Whether the order is to be kept, be the reason still lacking. */
  keeping: boolean;
  onKeeping(keeping: boolean): void;
}

/** Shuffle the records, or say why not. */
export function Order({ keeping, onKeeping }: Props) {
  const recorded = study.value!.keep_order;
  const [reason, setReason] = useState(recorded);
  const put = async (keep_order: string) => {
    const done = await change("PUT /api/order", { body: { keep_order } });
    if (done) said.value = words.saved;
    return done;
  };
  const choose = async (choice: "shuffle" | "keep") => {
    if (choice === "shuffle" && recorded && !(await put(""))) return;
    onKeeping(choice === "keep");
  };
  return (
    <Card>
      <Choices
        title={words.title}
        options={words.options}
        value={keeping ? "keep" : "shuffle"}
        onChange={(choice) => void choose(choice)}
      />
      {keeping && (
        <div class="inline-form">
          <Field label={words.reason}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                value={reason}
                onInput={(event) => setReason(event.currentTarget.value)}
              />
            )}
          </Field>
          {reason.trim() !== recorded && (
            <Button blocked={reason.trim() ? null : " "} onClick={() => void put(reason.trim())}>
              {words.save}
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}
