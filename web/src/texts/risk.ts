export const risk = {
  title: "Choose the limit",
  intro:
    "A record’s risk is the chance that somebody who tries recognises the person. Move the limit and see what lies above it.",
  scenario: "Scenario",
  figures: {
    records: "records",
    cells: "combinations of key values",
    uniques: "sample uniques",
    max: "largest risk",
    expected: "expected re-identifications",
    rate: "re-identification rate",
    households: "households",
    householdMax: "largest household risk",
  },
  error: (value: string) => `standard error ${value}`,
  before: (done: string) => `before ${done}`,
  notMeaningful: "not meaningful",
  notAfter: (done: string, before: string) => `after ${done}; ${before} before it`,
  perturbation: {
    title: "Risk after perturbation",
    intro: (done: string) =>
      `Keys were changed at random (${done}), and the risk takes account of it: the risk before, times the chance that a record still shows its keys. Where the other keys find a person more easily, they count alone. Record by record this does not tell who was changed.`,
    expected: "expected re-identifications",
    was: (before: string) => `${before} before`,
    kept: "expected among records that keep their keys",
    realised: (value: string) => `realised ${value}`,
    informed: "hits of an informed intruder, against one who compares keys",
    times: (value: string) => `${value} times`,
    informedNone: "not known",
    informedHint:
      "Somebody who knows the chances and has a register; measured inside the file. Times the expected re-identifications, it is the figure for this intruder.",
    informedSwap: "Chances of exchanges are known to nobody outside.",
    made: "combinations that no original record has",
    records: (records: string) => `in ${records}`,
    steps: "Realised against expected",
    meaningless: (done: string) =>
      `After ${done}, sample uniques, k, special uniques (SUDA) and diversity are not evidence: changes at random make up rare combinations, and hide others. Rules on them are judged on the file before it.`,
  },
  numbers: {
    title: "Risk of numeric variables",
    intro: (names: string) =>
      `Can records be found again by ${names}? Measured for an intruder who knows the original values exactly and that the person is in the file: an upper bound for others.`,
    heads: { who: "The intruder compares", all: "Linked", outer: "Outer 1 % linked", adjusted: "Adjusted" },
    alone: "the numbers alone",
    withKeys: (keys: string) => `the keys (${keys}) and the numbers`,
    of: (expected: string, records: string) => `${expected} of ${records}`,
    error: (value: string) => `standard error ${value}`,
    inside: (width: string) =>
      `Intervals: records whose original lies within ${width} of a standard deviation of the released value.`,
    insideHeads: ["Variable", "Share of the records"],
    every: "on every variable",
    definitions: [
      ["Linked", "a record whose own original is the nearest to what is released; if m originals are equally near, it counts 1/m."],
      ["Outer 1 %", "the same for the hundredth of the records that lies farthest from the middle, which noise protects last."],
      ["Adjusted", "an estimate for an intruder who does not know who is in the file; to be read beside the first figure, not to decide by."],
      ["Interval", "the share of records whose original lies near the released value; values that were not changed count."],
    ],
    sparse: "Where the keys alone single out most records, numbers change little: the second row is then about the keys.",
  },
  picture: "Risk of the records",
  fields: {
    title: "The limit",
    intro: "Four ways to set the same limit. Change one, and the others follow.",
    risk: "Largest risk of a record",
    rate: "Re-identification rate, at most",
    expected: "Expected re-identifications, at most",
    unsafe: "Records above the limit",
    after: "once protected",
    faults: {
      risk: "A number from 0 to 1, such as 0.01 or 1 in 100.",
      rate: "A share from 0 to 1, such as 0.002 or 0.2 %.",
      expected: "A number of at least 0.",
      unsafe: "A whole number of records.",
    },
  },
  meaning: (risk: string, odds: string, unsafe: string, share: string) =>
    `${risk}, ${odds}: ${unsafe} records above, ${share}`,
  above: "of the records are above the limit",
  households: (unsafe: string, all: string) => `${unsafe} of ${all} households are above it`,
  estimators: {
    title: "Two estimators of the same risk",
    measure: "Measure",
    names: { cell: "by cell", model: "by model" },
    decides: (name: string) => `${name} (in use)`,
    above: "records above the limit",
    inForce: {
      cell: "The estimator “cell” is in use. You can change it in Scenario.",
      model:
        "The estimator “model” is in use, which suits a file with many sample uniques. You can change it in Scenario.",
    },
    proposed: (name: string) => `Better for this file: the estimator “${name}”.`,
    many: (share: string, perturbed: string) =>
      perturbed
        ? `${share} of the records were sample uniques before ${perturbed}.`
        : `${share} of the records are sample uniques.`,
    before: "Many records were sample uniques before suppression.",
    why: "The estimator “cell” treats the weight of one record as the size of its cell, and is often too low for such a file; “model” looks at all combinations.",
    use: (name: string) => `Use the estimator “${name}”`,
    higher: (expected: string, times: string) =>
      `The model expects ${expected} re-identifications, ${times} times as many as “cell”. Use the estimator “model”, or give the reason for keeping “cell” in Release.`,
  },
  homes: {
    title: "Risk of households",
    axis: "households",
    intro:
      "The chance that at least one member is recognised. Set a separate limit if households are to be protected; suppression then uses it.",
    targets: {
      risk: "Largest risk of a household",
      rate: "Household re-identification rate, at most",
      expected_households: "Expected households re-identified, at most",
    },
    limit: "limit on household risk",
    unsafe: "households above it",
    expected: "expected households once protected, at most",
    rate: "household rate once protected, at most",
    members: "A household stays within it if no member has a risk above:",
    member: (size: string, risk: string) => `${risk} with ${size} members`,
  },
  gaps: {
    title: "Missing keys under each rule",
    of: (scenario: string) => `Missing keys under each rule: ${scenario}`,
    intro: "Missing and suppressed key values hide risk under some rules and not under others.",
    rule: "A missing key value",
    inUse: (rule: string) => `${rule} (in use)`,
    short: (expected: string, max: string) => `${expected} expected, largest risk ${max}`,
    higher: (times: string) =>
      `With missing keys weighed, ${times} times as many re-identifications are expected: part of the safety rests on gaps. If a rule on records is met only by them, the release needs a reason.`,
  },
  approximate:
    "≈ Approximate while you move the limit, exact when you let go.",
  exact: "Exact figures.",
  contributions: "Contribution of each key",
  contributionsIntro:
    "How many fewer re-identifications would be expected if the key were not in the file.",
  contributionHeads: ["Key variable", "Fewer expected", "Of all"],
  cells: "Riskiest combinations",
  cellsIntro: {
    cell: "People in the population are estimated from the weights.",
    model: "People are estimated from the weights of these records, the risk from the model, which may expect far fewer people.",
  },
  cellsBefore: (perturbed: string) =>
    `Combinations and counts are those before ${perturbed}; the risk takes account of it.`,
  cellHeads: { records: "Records", people: "People", risk: "Risk" },
  missing: "missing",
  fileRisk: {
    title: "Risk of the file as a whole",
    before: (perturbed: string) => `Of the file before ${perturbed}: this is about sample uniques, which mean nothing after it.`,
    level: "level",
    tau1: "sample uniques that are population uniques (estimate)",
    tau2: "expected correct matches of sample uniques",
    share: "of the sample uniques",
    cellSize: "records in a cell of the full table, on average",
    band: (low: string, high: string) => `${low} to ${high}`,
    noBand: "no interval is available",
    average: "This level is an average over all sample uniques, not a limit on each record.",
    calm: (level: string, above: string) =>
      `The level is ${level}, and yet ${above} above the limit. This is no contradiction: the level is an average over all sample uniques, the limit is about each record. A calm file does not make up for them.`,
    above: ["record lies", "records lie"],
    model: "Model",
  },
  population: {
    title: "Known population counts",
    intro:
      "A register or census table with the same keys shows how good the estimates are. It is compared with the file before any protection.",
    count: "Variable with the number of people",
    countHint: "Leave empty if each row is a person.",
    choose: "Choose the file",
    other: "Choose another file",
    people: "people in the population",
    weights: (people: string) => `by the weights ${people}`,
    expected: "expected re-identifications by the counts",
    times: (ratio: string) => `${ratio} times the estimate`,
    uniques: "records that are population uniques",
    differing: "records with F off by more than a factor of 2",
  },
  notices: "Before you trust the figures",
  changeScenario: "Change the scenario",
} as const;
