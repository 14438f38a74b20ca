import { describe, expect, it } from "vitest";
import { inTurn } from "../src/turns";

const turn = () => new Promise((resolve) => setTimeout(resolve));

describe("questions that the server must hear in their order", () => {
  it("are sent one at a time, and of those that wait only the last", async () => {
    const sent: number[] = [];
    const last: boolean[] = [];
    const answers: (() => void)[] = [];
    const tell = inTurn<number>(async (value, isLast) => {
      sent.push(value);
      await new Promise<void>((resolve) => answers.push(resolve));
      last.push(isLast());
    });
    const all = [1, 2, 3].map(tell);
    await turn();
    expect(sent).toEqual([1]);
    answers[0]!();
    await turn();
    expect(sent).toEqual([1, 3]);
    answers[1]!();
    await Promise.all(all);
    expect(last).toEqual([false, true]);
  });

  it("can be asked again once nothing waits", async () => {
    const sent: string[] = [];
    const tell = inTurn<string>(async (value) => void sent.push(value));
    await tell("a");
    await tell("b");
    expect(sent).toEqual(["a", "b"]);
  });
});
