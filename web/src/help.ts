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
