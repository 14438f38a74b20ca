import { describe, expect, it } from "vitest";
import type { ProposedScenario } from "../src/api";
import { emptyDraft } from "../src/steps/scenario/draft";
import { added, blank, edited, faultOf, lackingOf, listOf, madeOf, nameFault, removed, requestOf } from "../src/steps/scenario/list";

const main = { ...emptyDraft("main"), keys: ["age", "sex"], weight: "w", error: { age: 0.1 }, why: "me" };
const other = { ...emptyDraft("register"), keys: ["age"] };
const start = listOf([main, other], "register", () => emptyDraft("none"));
const neighbour: ProposedScenario = { name: "neighbour", keys: ["sex", "region"], why: "sees it" };

describe("the list of scenarios", () => {
  it("begins with those of the study, or with a first one", () => {
    expect(start.at).toBe(1);
    expect(listOf([], "main", () => main).all).toEqual([{ draft: main, origin: null }]);
  });

  it("is added to, under a name that is free", () => {
    const more = added(added(start, blank(start)), blank(start));
    expect(more.all.map((each) => each.draft.name)).toEqual(["main", "register", "new scenario", "new scenario 2"]);
    expect(more.at).toBe(3);
    expect(more.all[2]!.draft).toMatchObject({ keys: [], weight: "w", error: {}, why: "" });
    expect(added(start, main).all[2]!.draft).toEqual({ ...main, name: "main 2" });
  });

  it("loses any but the first", () => {
    expect(removed(start, 0)).toEqual(start);
    expect(removed(start, 1)).toMatchObject({ at: 0, all: [{ origin: "main" }] });
    expect(removed({ ...start, at: 0 }, 1).at).toBe(0);
  });

  it("takes ready-made scenarios that add something", () => {
    const proposed = [neighbour, { name: "register", keys: ["sex", "age"], why: "" }];
    expect(lackingOf(start, proposed, ["age", "sex", "region"])).toEqual([neighbour]);
    expect(lackingOf(start, proposed, ["age", "sex"])).toEqual([]);
    const draft = madeOf(start, neighbour);
    expect(draft).toMatchObject({ name: "neighbour", keys: ["sex", "region"], weight: "w", why: "sees it", error: {} });
    expect(lackingOf(added(start, draft), proposed, ["age", "sex", "region"])).toEqual([]);
  });

  it("says which name or keys are wrong, and what was renamed", () => {
    expect(faultOf(start)).toBeNull();
    expect(nameFault(edited(start, { ...other, name: "main" }))).toContain("already");
    expect(faultOf(edited(start, { ...other, name: " " }))).toContain("name");
    expect(faultOf(added(start, blank(start)))).toContain("new scenario");
    const sent = requestOf(edited(start, { ...other, name: "file" }));
    expect(sent.renamed).toEqual({ register: "file" });
    expect(sent.scenarios.map((each) => each.name)).toEqual(["main", "file"]);
  });
});
