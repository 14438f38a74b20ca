import { openedPlan } from "../plans";
import { study } from "../state";
import { texts } from "../texts";
import { Button } from "./Button";
import { Notice } from "./Notice";

const words = texts.plans;

/** What came of a plan that was opened, until somebody has read it. */
export function PlanRemarks() {
  const opened = openedPlan.value;
  if (!opened) return null;
  return (
    <Notice tone={opened.remarks.length ? "warn" : "good"} title={words.opened(opened.name)}>
      {study.value?.steps.length ? words.confirm : ""}{" "}
      {opened.remarks.length > 0 && (
        <>
          {words.kept}
          <ul>
            {opened.remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </>
      )}
      <Button small onClick={() => (openedPlan.value = null)}>
        {texts.close}
      </Button>
    </Notice>
  );
}
