export const intruders = {
  title: "Who could recognise whom",
  intro: "Every intruder is tried on the file as it now is. The limits are those of the policy.",
  heads: {
    scenario: "Scenario",
    who: "Who",
    before: "Would find before",
    now: "Would find now",
    largest: "Largest chance",
    above: "Above the limit",
    limit: "Limit",
  },
  units: { records: "records", households: "households", persons: "persons" },
  others: "The other scenarios",
  untried: "Who was not tried, and why",
  certain: (count: string) => `${count} for certain`,
  none: "no limit",
} as const;
