export const numbers = {
  title: "Numbers that changed",
  of: (name: string) => `How ${name} changes`,
  before: "before",
  after: "after",
  distribution: (name: string) => `Distribution of ${name}`,
  joint: (name: string) => `${name}, record by record`,
  jointHint: "Each record by its value before and after; the darker, the more. Values on the line stay near what they were.",
  jointSaid: (name: string, share: string) =>
    `${name} before and after, record by record: ${share} of the records stay in the same class`,
  ofPeople: "of the people",
  ofRecords: "of the records",
  log: "(log scale)",
  heads: {
    name: "Variable",
    mean: "Mean",
    weightedMean: "Weighted mean",
    deviation: "Standard deviation",
    ranks: "Rank correlation",
    sse: "SSE/SST",
    il1s: "IL1s",
  },
  change: (before: string, after: string) => (before === after ? before : `${before} → ${after}`),
  definitions: [
    ["Rank correlation", "of the variable before and after; 1 if the order of the records is kept."],
    ["SSE/SST", "squared changes as a share of the squared distances from the mean; 0 if nothing changed."],
    ["IL1s", "mean change of a value, in √2 standard deviations."],
  ],
  correlations: "Changes of correlations",
  correlationsIntro: (pairs: string, largest: string, names: string, mean: string) =>
    `${pairs}. Largest change ${largest} (${names}), mean change ${mean}.`,
  correlationsWeighted: "Weighted.",
  correlationsTable: "Correlation after, less before",
  correlation: (before: string, after: string) => `${before} before, ${after} after`,
  largest: (value: string, names: string) => `The correlation that changes most: ${names}, by ${value}.`,
  propensity: (pmse: string, ratio: string) =>
    `Can a model tell released records from original ones? pMSE ${pmse}, ${ratio} times what two independent files would give. Released records are paired with original ones, so the ratio may lie below 1.`,
  pictures: (name: string) => `Pictures of ${name}`,
} as const;
