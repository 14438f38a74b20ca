import { describe, expect, it } from "vitest";
import { nodesOf, readPages } from "../help.mjs";
import { searchPages } from "../src/help";
import { texts } from "../src/texts";

const pages = readPages();

function exists(topic: string): boolean {
  const [name, part] = topic.split("#");
  const page = pages[name!];
  return !!page && (!part || [...nodesOf(page.body)].some(([, { id }]) => id === part));
}

describe("help", () => {
  it("leads to pages and sections that exist", () => {
    const topics = Object.values(texts.help.pages).flatMap((each) => Object.values(each));
    expect(topics.filter((topic) => !exists(topic))).toEqual([]);
  });

  it("has all method pages, each with a title of its own", () => {
    const titles = Object.values(pages).map(({ title }) => title);
    expect(Object.keys(pages).filter((name) => name.startsWith("methods/")).length).toBeGreaterThan(30);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it("has links that stay inside and lead somewhere", () => {
    const links = Object.values(pages).flatMap(({ body }) => [...nodesOf(body)].flatMap(([, { to }]) => to ?? []));
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((to) => !exists(to))).toEqual([]);
  });

  it("answers questions among the first three", () => {
    const asked = { "Which limit, and who gets the file?": "guides/limit", "free text": "guides/free-text", "no weights": "guides/no-weights", GDPR: "guides/law" };
    const missed = Object.entries(asked).filter(([question, page]) => !searchPages(pages, question).slice(0, 3).includes(page));
    expect(missed).toEqual([]);
    expect(searchPages(pages, "zyzzyva")).toEqual([]);
    expect(searchPages(pages, "").length).toBeGreaterThan(80);
  });

  it("draws nothing that could run", () => {
    const tags = new Set(Object.values(pages).flatMap(({ body }) => [...nodesOf(body)].map(([tag]) => tag)));
    expect([...tags].filter((tag) => ["script", "style", "iframe", "object"].includes(tag))).toEqual([]);
  });
});
