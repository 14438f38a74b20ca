import { count, plural } from "../numbers";

export const propose = {
  title: "Find the plan that costs least",
  intro:
    "Say what must be met, which recodes are allowed and how many records may lose a value. A search finds the plan that loses the least. Nothing changes until you take one.",
  rules: {
    title: "What must be met",
    intro: "Leave a rule empty if it is not required. The largest risk is the limit chosen in Risk unless you change it.",
    more: "More rules",
    none: "Enter at least one rule.",
  },
  wishes: {
    title: "How far it may go",
    touched: "Records that may lose a value, in per cent",
    cap: (records: number, all: number) => `At most ${count(records)} of ${plural(all, "record")} may lose a value.`,
    noCap: "Any number of records may lose a value.",
    why: "Without a cap blanks alone nearly always win, in many records: a recode takes something from everybody.",
    more: "Guarantee and time",
    seconds: "Search for at most, in seconds",
    secondsHint: "Then it tells the best found so far, and how far from the best it can be. Empty: until it is proved.",
    guarantee: "Guarantee of the blanks",
    guarantees: {
      own: ["own", "Every record is safe by its own blanks. The default."],
      strict: ["strict", "Safe even if records with missing keys are ignored. More blanks."],
    },
  },
  ladders: {
    title: "Allowed recodes",
    intro:
      "The ladder of each key, from fine to broad, as the data suggest it. Open a key to leave out rungs or add your own.",
    heads: { key: "Key", ladder: "Ladder", matters: "Matters", spare: "Leave as it is" },
    rungHeads: { allowed: "Allowed", rung: "Rung", categories: "Categories", loss: "Information lost" },
    caption: (key: string) => `Rungs of ${key}`,
    categories: (number: number) => plural(number, "category", "categories"),
    matters: (key: string) => `How much ${key} matters`,
    spare: (key: string) => `Leave ${key} as it is`,
    allow: (rung: string) => `Allow ${rung}`,
    remove: "Remove",
    edited: "edited",
    reset: "Back to the suggested ladder",
    counted: "Anybody can count it by the household number, so it is left alone.",
    spared: "Neither recoded nor blanked.",
    nothing: "Nothing to join; its values may be blanked.",
    noneAllowed: "Not recoded; its values may be blanked.",
    widths: "Bins of your own widths",
    widthsHint: "Each a multiple of the one before, such as 5, 10, 20. They take the place of the other rungs.",
    widthsFault: "Enter increasing numbers, each a multiple of the one before.",
    useWidths: "Use these widths",
    bins: (width: number) => `bins of ${width}`,
    byHand: "merged by hand",
    merge: "Merge categories by hand",
    addRung: "Add as a rung",
    needGroup: "Merge at least two categories first.",
    fault: "These ladders cannot be used.",
  },
  search: {
    run: "Propose",
    again: "Propose again",
    hint: "Nothing is changed by it.",
    fix: "Correct the ladders first.",
  },
  result: {
    title: "Proposal",
    best: (words: string, loss: string, sure: string) =>
      `${words}, losing ${loss} of what the keys tell (${sure}).`,
    bestByUses: (words: string, byUses: string, loss: string, sure: string) =>
      `${words}: loss by uses ${byUses}, plain loss ${loss} (${sure}).`,
    proved: "proved best",
    gap: (share: string) => `best found, gap at most ${share}`,
    moreTime: "Give it more seconds, or shorter ladders, to come nearer.",
    notInTime: (seconds: number | null) =>
      seconds === null ? "No plan was found." : `No plan was found within ${plural(seconds, "second")}.`,
    tryMore: (cap: string | null) =>
      `Search longer, ${cap === null ? "" : `let more than ${cap} lose a value, `}or allow broader recodes.`,
    none: "No plan meets all of this.",
    overCap: (cap: string, near: string, share: string) =>
      `None keeps to ${cap} with blanks. The nearest has ${near} (${share}): allow as many, or give broader ladders.`,
    failing: (rules: string) =>
      `None meets this rule as well: ${rules}. The nearest meets the others: give broader ladders, or ask for a lower risk of records.`,
    stuck: (records: string) =>
      `${records} stay unsafe at the broadest rungs, whatever is blanked. Spare fewer keys, or give broader ladders.`,
    stale: "Scenarios, uses or other steps have changed since.",
    staleText: "These plans are for the data as they were: propose again.",
    notes: "Notes",
  },
  frontier: {
    named: "Frontier: what plans lose by how many records have blanks. Each point is a plan; press it to open it.",
    touched: "records with blanks, %",
    loss: "information lost, %",
    lossByUses: "loss by uses, %",
    cap: (share: string) => `cap ${share}`,
    keys: "Press a point to open its plan. By keyboard: Tab to a point, arrow keys to the next.",
    point: (words: string, touched: string, loss: string) =>
      `${words}: blanks in ${touched} of the records, losing ${loss}`,
    marks: { best: "proposed", taken: "taken", nearest: "nearest" },
    table: "The cheapest plan for each number of records with blanks",
    heads: { touched: "Records with blanks", blanks: "Blanks", loss: "Loss", byUses: "Loss by uses", plainLoss: "Plain loss", recodes: "Recodes" },
    none: "none",
    open: "Open",
    opened: "open",
  },
  plan: {
    proved: "Proved best for as many records with blanks.",
    gap: (share: string, large: boolean) =>
      large
        ? `The search was stopped early; a much better plan may exist (gap up to ${share}). Search on?`
        : `Best found for as many records with blanks; a better plan could save at most ${share} of its loss.`,
    figures: { loss: "lost of what the keys tell", byUses: "loss by uses", plainLoss: "plain loss, all keys alike", touched: "records with blanks", blanks: "blanks", expected: "expected re-identifications" },
    steps: "Its steps",
    losses: "What it takes of each key",
    heads: ["Key", "Lost", "Blanks", "Recode"],
    asIs: "as it is",
    rules: "Rules",
    replaced: "Takes the place of",
    kept: "Your own suppression stays among the candidates, as “before the proposal”.",
    compare: "Compare",
    compareHint: "Compare keeps it as a candidate and shows it beside the present steps.",
    take: "Take this plan",
    taken: "These are the steps now.",
    tookIt: (words: string) => `Taken: ${words}.`,
    policy: "Taking it adds the rules that the policy does not have yet, and the weights of keys to the uses that matter. Every step can be undone in Protect.",
  },
} as const;
