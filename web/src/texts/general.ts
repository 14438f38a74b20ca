export const general = {
product: "microsafe",
local: "Runs on this computer. Nothing is sent elsewhere.",
skip: "Skip to the content",
close: "Close",
cancel: "Cancel",
retry: "Try again",
back: (to: string) => `Back to ${to}`,
next: (to: string) => `Next: ${to}`,
goTo: (to: string) => `Go to ${to}`,
asTable: "Show as a table",
loading: "Loading …",
theme: { label: "Appearance", options: { auto: "Auto", light: "Light", dark: "Dark" } },
tones: { info: "Note", warn: "Warning", bad: "Problem", good: "Done" },
number: (min: number, max: number, whole: boolean) => {
  const kind = whole ? "A whole number" : "A number";
  const least = min > 0 && min < 1e-6 ? "above 0" : `of at least ${min}`;
  return Number.isFinite(max) ? `${kind} ${least} and at most ${max}.` : `${kind} ${least}.`;
},
why: {
  label: "Reason",
  hint: "Written to the plan and the board’s report.",
},

rail: {
  label: "Steps",
  tools: "At any time",
  done: "done",
  blocked: {
    variables: "Open a file first.",
    scenario: "Open a file first.",
    risk: "Choose the key variables first.",
    propose: "Choose the key variables first.",
    protect: "Measure the risk first.",
    inventory: "Choose the key variables first.",
    compare: "Apply a protection step first.",
    release: "Measure the risk first.",
  },
},

steps: {
  open: "Open",
  variables: "Variables",
  scenario: "Scenario",
  risk: "Risk",
  closer: "Look closer",
  propose: "Propose",
  protect: "Protect",
  inventory: "Inventory",
  compare: "Compare",
  release: "Release",
  explore: "Explore",
},

noKey: {
  title: "This page needs its key.",
  text: "Open the link that microsafe app printed in the terminal. It ends in # and a key.",
},
lost: {
  title: "The app does not answer.",
  text: "It may have been closed. Start it again in the terminal with microsafe app --resume; your steps are saved.",
},

other: {
  taken: "The study was changed in another window. This is what it is now.",
  title: "The study was changed in another window.",
  text: "What you typed here is still here, and nothing of it was applied.",
  show: "Show the changes",
  showHint: "what you typed goes",
  keep: "Keep what I typed",
},

job: {
  working: "Working …",
  stage: (stage: string) => (stage ? `${stage[0]!.toUpperCase()}${stage.slice(1)} …` : "Working …"),
  cancel: "Cancel",
  enough: "Stop here",
  cancelling: "Cancelling …",
  cancelled: "Cancelled. Nothing was changed.",
  undone: "Undone.",
  percent: (share: number) => `${Math.round(100 * share)} %`,
},

picture: {
  limit: "Limit",
  limitIs: (risk: string, odds: string) => `limit ${risk} (${odds})`,
  safe: "within",
  unsafe: "above",
  riskAxis: "risk of re-identification (log scale)",
  countAxis: { histogram: "records", cumulative: "records with a higher risk" },
  named: {
    histogram: "Histogram of the risk of records, with the limit as a line that moves",
    cumulative: "Records above each risk, with the limit as a line that moves",
  },
  shape: { label: "Picture", options: { histogram: "Histogram", cumulative: "Cumulative" } },
  keys: "Drag the line, or focus it: arrow keys move a little, Page Up and Page Down more, Home and End to the ends.",
  legend: { safe: "within the limit", unsafe: "above the limit (hatched)" },
  marks: (named: string) => `${named}, mark by mark`,
  bar: {
    risk: (from: string, to: string) => `risk ${from} to ${to}`,
    counted: (number: string, counted: string, share: string) => `${number} ${counted} (${share})`,
    above: (number: string) => `${number} above`,
  },
  table: { from: "Risk from", to: "to", records: "Records", above: "Records above" },
},
} as const;
