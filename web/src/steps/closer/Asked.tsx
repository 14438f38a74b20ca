import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAnswer, type Reading } from "../../answer";
import type { Api } from "../../api";
import { queryOf } from "../../client";
import { Button } from "../../parts/Button";
import { Waiting } from "../../parts/Waiting";
import { texts } from "../../texts";

const words = texts.closer;

interface Props<R extends Reading> {
  route: R;
  query: Api[R]["query"];
  children(found: Api[R]["answer"]): ComponentChildren;
}

/** An answer that is measured at once, and anew when the question changes; it can be stopped. */
export function Asked<R extends Reading>({ route, query, children }: Props<R>) {
  const key = queryOf(query);
  const [stopped, setStopped] = useState<string | null>(null);
  const answer = useAnswer(route, query, stopped !== key);
  if (stopped === key) {
    return (
      <p>
        {words.stopped}{" "}
        <Button small onClick={() => setStopped(null)}>
          {words.again}
        </Button>
      </p>
    );
  }
  return (
    <Waiting answer={answer} onCancel={() => setStopped(key)}>
      {children}
    </Waiting>
  );
}
