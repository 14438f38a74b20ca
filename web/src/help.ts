/** The drawer: what it is open at, and which page is about what. */

import { signal } from "@preact/signals";
import { at } from "./state";
import { texts, type Word } from "./texts";

/** A text, or a list: tag, attributes, children. */
export type HelpNode = string | readonly [string, Readonly<Record<string, string>>, ...HelpNode[]];

export interface HelpPage {
  readonly title: string;
  readonly body: readonly HelpNode[];
}

/** A page (`methods/limit#units`), a word (`word:limit`), or all there is. */
export type Topic = string;
export const CONTENTS: Topic = "contents";

/** Where the reader was; the last is open, and none means that the drawer is closed. */
export const trail = signal<readonly Topic[]>([]);

let opener: Element | null = null;

/** Open the drawer, or go on in it. */
export function openHelp(topic: Topic): void {
  if (!trail.value.length) opener = document.activeElement;
  if (trail.value.at(-1) !== topic) trail.value = [...trail.value, topic];
}

export function goBack(): void {
  trail.value = trail.value.slice(0, -1);
}

/** Close the drawer; the focus goes back to where it was. */
export function closeHelp(): void {
  trail.value = [];
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  opener = null;
}

const SMALL = new Set(["a", "an", "and", "for", "how", "in", "is", "it", "of", "on", "or", "the", "to", "what", "which", "who", "with"]);
const LAYERS = Object.keys(texts.help.layers);

/** The pages that have all words of a question: those with most of them in the title first. */
export function searchPages(library: Readonly<Record<string, HelpPage>>, question: string): readonly string[] {
  const asked = (question.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}-]*/gu) ?? []).filter((word) => !SMALL.has(word));
  const score = ([name, { title }]: [string, HelpPage]) => {
    const layer = LAYERS.indexOf(name.split("/")[0]!);
    return 10 * asked.filter((word) => title.toLowerCase().includes(word)).length - layer;
  };
  return Object.entries(library)
    .filter(([name]) => LAYERS.includes(name.split("/")[0]!) && !name.endsWith("index"))
    .filter(([, page]) => asked.every((word) => textOf(page).includes(word)))
    .sort((a, b) => score(b) - score(a) || a[1].title.localeCompare(b[1].title))
    .map(([name]) => name);
}

const read = new WeakMap<HelpPage, string>();

function textOf(page: HelpPage): string {
  const known = read.get(page);
  if (known !== undefined) return known;
  const words = (node: HelpNode): string => (typeof node === "string" ? node : node.slice(2).map((inner) => words(inner as HelpNode)).join(" "));
  const text = `${page.title} ${page.body.map(words).join(" ")}`.toLowerCase();
  read.set(page, text);
  return text;
}

const { pages } = texts.help;

/** The page that says more about a word, or about a kind of step. */
export function pageOfWord(word: string): Topic | null {
  const known: Readonly<Record<string, Topic>> = { ...pages.words, ...pages.kinds };
  return known[word] ?? null;
}

/** What a card is about: what it says itself, its title tells, or the step is about. */
export function topicOf(title: unknown, given?: Topic): Topic {
  if (given) return given;
  const word = (title as { props?: { name?: Word } } | null)?.props?.name;
  if (word) return `word:${word}`;
  const cards: Readonly<Record<string, Topic>> = pages.cards;
  return (typeof title === "string" && cards[title]) || topicOfStep();
}

export function topicOfStep(): Topic {
  const steps: Readonly<Record<string, Topic>> = pages.steps;
  return steps[at.value] ?? CONTENTS;
}

/** What a way of protecting is about. */
export function topicOfWay(way: string): Topic {
  const ways: Readonly<Record<string, Topic>> = pages.ways;
  return ways[way] ?? topicOfStep();
}

/** F1 anywhere, or a question mark outside of fields, opens the drawer at what is at hand. */
export function helpByKey(event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]")) return; // which is all there is for now
  if (event.key === "Escape" && trail.value.length) {
    event.preventDefault();
    return closeHelp();
  }
  const typing = event.target instanceof Element && event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select");
  if (event.key !== "F1" && (event.key !== "?" || typing)) return;
  event.preventDefault();
  const near = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-help]") : null;
  openHelp(near?.dataset["help"] ?? topicOfStep());
}
