// Made by `uv run python -m microsafe.app.types` from src/microsafe/app/messages.
// Change those modules, not this file.

/** What must be given of T, and what may be left out. */
type Given<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

/** Give a variable fewer categories, in one of four ways. */
export interface Recode {
  readonly do: "recode";
  readonly variable: string;
  readonly groups: Readonly<Record<string, readonly (string | number | readonly [string | number | null, string | number | null])[]>> | null;
  readonly other: string | number | null;
  readonly breaks: readonly number[] | null;
  readonly names: readonly (string | number)[];
  readonly keep: number | null;
  readonly classification: readonly (Readonly<Record<string, string | number>>)[] | null;
  readonly level: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly missing: readonly (string | number)[] | null;
  readonly why: string;
}

/** Replace all numbers from a limit upward, or the largest of a share, by one value. */
export interface TopCode {
  readonly do: "top_code";
  readonly variable: string;
  readonly limit: number | null;
  readonly share: number | null;
  readonly replace: "mean" | "median" | "limit" | null;
  readonly strata: readonly string[];
  readonly least: number | null;
  readonly code: string | number | null;
  readonly label: string;
  readonly why: string;
}

/** Replace all numbers from a limit downward, or the smallest of a share; see `TopCode`. */
export interface BottomCode {
  readonly do: "bottom_code";
  readonly variable: string;
  readonly limit: number | null;
  readonly share: number | null;
  readonly replace: "mean" | "median" | "limit" | null;
  readonly strata: readonly string[];
  readonly least: number | null;
  readonly code: string | number | null;
  readonly label: string;
  readonly why: string;
}

/** Leave variables out of the file. */
export interface Drop {
  readonly do: "drop";
  readonly variables: readonly string[];
  readonly from_keys: boolean;
  readonly why: string;
}

/** Replace numbers by averages of groups of at least k similar records. */
export interface Microaggregate {
  readonly do: "microaggregate";
  readonly variables: readonly string[];
  readonly k: number;
  readonly method: "mdav" | "one";
  readonly strata: readonly string[];
  readonly small: "refuse" | "merge";
  readonly standardise: "sd" | "range" | "none";
  readonly measure: "mean" | "median";
  readonly weights: boolean;
  readonly together: string | null;
  readonly exact: boolean | null;
  readonly decimals: number | null;
  readonly identifier: string | null;
  readonly why: string;
}

/** Replace categories of a variable at random (post-randomisation). */
export interface Pram {
  readonly do: "pram";
  readonly variable: string;
  readonly keep: number | null;
  readonly matrix: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly band: number | null;
  readonly change: number | null;
  readonly strata: readonly string[];
  readonly within: readonly (readonly string[])[];
  readonly above: number | null;
  readonly together: string | null;
  readonly identifier: string | null;
  readonly seed: number | null;
  readonly why: string;
}

/** Exchange numbers of each variable between records of nearby rank. */
export interface RankSwap {
  readonly do: "rank_swap";
  readonly variables: readonly string[];
  readonly percent: number;
  readonly strata: readonly string[];
  readonly seed: number | null;
  readonly identifier: string | null;
  readonly why: string;
}

/** Replace identifiers by random whole numbers, equal ones by equal ones. */
export interface Renumber {
  readonly do: "renumber";
  readonly variable: string;
  readonly seed: number | null;
  readonly why: string;
}

/** Round numbers to multiples of a base: the nearest, or one of two at random. */
export interface Round {
  readonly do: "round";
  readonly variable: string;
  readonly base: number;
  readonly random: boolean;
  readonly identifier: string | null;
  readonly seed: number | null | null;
  readonly why: string;
}

/** Add random numbers to numeric variables, or multiply them by random factors near 1. */
export interface Noise {
  readonly do: "noise";
  readonly variables: readonly string[];
  readonly kind: "additive" | "correlated" | "restored" | "multiplicative";
  readonly variance: number;
  readonly strata: readonly string[];
  readonly zeros: "keep" | "perturb";
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly decimals: number | null;
  readonly publish_variance: boolean;
  readonly identifier: string | null;
  readonly seed: number | null;
  readonly why: string;
}

/** Keep a random sample of the households or of the records; the first step of all. */
export interface Sample {
  readonly do: "sample";
  readonly fraction: number;
  readonly seed: number | null;
  readonly household: string | null;
  readonly weight: string;
  readonly why: string;
}

/** Deal out the numbers of some variables anew, in an order drawn given other variables. */
export interface Shuffle {
  readonly do: "shuffle";
  readonly variables: readonly string[];
  readonly given: readonly string[];
  readonly seed: number | null;
  readonly identifier: string | null;
  readonly why: string;
}

/** Blank keys until no record is unsafe. */
export interface Suppress {
  readonly do: "suppress";
  readonly above: number | Readonly<Record<string, number>> | null;
  readonly k: number | Readonly<Record<string, number>> | null;
  readonly guarantee: "own" | "strict" | "shared";
  readonly costs: Readonly<Record<string, number>> | "entropy" | null;
  readonly spare: readonly string[];
  readonly scenarios: readonly string[];
  readonly linked: Readonly<Record<string, readonly string[]>>;
  readonly household: number | null;
  readonly up_to: number | null;
  readonly levels: Readonly<Record<string, number>>;
  readonly people: boolean;
  readonly together: boolean;
  readonly by_value: boolean;
  readonly joint: boolean;
  readonly why: string;
}

/** Exchange the areas of households that stand out with those of others like them. */
export interface Swap {
  readonly do: "swap";
  readonly household: string;
  readonly areas: readonly string[];
  readonly carry: readonly string[];
  readonly profile: readonly (readonly string[])[];
  readonly rate: number;
  readonly risk_keys: readonly string[];
  readonly k: number | null;
  readonly above: number | null;
  readonly seed: number | null;
  readonly why: string;
}

/** List a folder below one of those that were named at start; an empty path is that one. */
export interface BrowseQuery {
  readonly folder: number;
  readonly path: string;
}

/** Open a file below one of the folders that were named at start. */
export interface OpenRequest {
  readonly folder: number;
  readonly path: string;
  readonly encoding: string;
  readonly separator: string;
  readonly na: readonly string[];
  readonly sheet: string;
}

/** A variable, scenario or candidate plan by name. */
export interface NameQuery {
  readonly name: string;
}

/** One set of keys and the assumptions that go with it. */
export interface Scenario {
  readonly keys: readonly string[];
  readonly weight: string | null;
  readonly household: string | null;
  readonly missing: "wildcard" | "category" | "expected";
  readonly alpha: number;
  readonly attack: "all" | "random" | "ratio" | "weight";
  readonly factor: number;
  readonly error: Readonly<Record<string, number>>;
  readonly low_weights: "refuse" | "clip";
  readonly estimator: "cell" | "model";
  readonly name: string;
  readonly why: string;
}

/** A scenario (the first if empty), and the state after so many steps (now if null). */
export interface RiskQuery {
  readonly scenario: string;
  readonly steps: number | null;
}

/** One of four ways to say where the limit should be; the server remembers the answer. */
export interface LimitTarget {
  readonly scenario: string;
  readonly risk: number | null;
  readonly rate: number | null;
  readonly expected: number | null;
  readonly unsafe: number | null;
}

/** One of three ways to say where the limit on household risk should be; remembered too. */
export interface HouseholdLimitTarget {
  readonly scenario: string;
  readonly risk: number | null;
  readonly rate: number | null;
  readonly expected_households: number | null;
}

/** A scenario, the first if empty. */
export interface ScenarioQuery {
  readonly scenario: string;
}

/** The riskiest cells of a scenario. */
export interface CellsQuery {
  readonly scenario: string;
  readonly most: number;
}

/** A file with known counts; `count` names the number of people, a row is one if empty. */
export interface PopulationQuery {
  readonly scenario: string;
  readonly folder: number;
  readonly path: string;
  readonly count: string;
}

/** Recodes that are worth their loss. */
export interface SuggestionQuery {
  readonly scenario: string;
  readonly most: number;
}

/** Go back to the state after the first `to` steps; 0 is the file as read. */
export interface RollbackRequest {
  readonly to: number;
}

/** Variables that go out, and why. */
export interface Keep {
  readonly variables: readonly string[];
  readonly why: string;
}

/** Why the records stay in the order of the input; if empty, they are shuffled. */
export interface OrderRequest {
  readonly keep_order: string;
}

/** Compare the state after `to` steps with the present one; `by` adds variables. */
export interface ComparisonQuery {
  readonly to: number;
  readonly by: readonly string[];
}

/** Two candidate plans by name; empty stands for the present steps. */
export interface PlanComparisonQuery {
  readonly one: string;
  readonly other: string;
}

/** Limits that a released file must keep; None asks for nothing. */
export interface Policy {
  readonly record_risk: number | null;
  readonly expected: number | null;
  readonly rate: number | null;
  readonly household_risk: number | null;
  readonly household_rate: number | null;
  readonly expected_households: number | null;
  readonly tau1: number | null;
  readonly tau1_share: number | null;
  readonly tau2: number | null;
  readonly k: number | null;
  readonly given_away: number | null;
  readonly publish_matrix: boolean;
  readonly override: Readonly<Record<string, string>>;
}

/** Write the safe file, both reports, the plan and its lock into a folder. */
export interface ReleaseRequest {
  readonly folder: number;
  readonly path: string;
  readonly file: string;
  readonly report: string;
  readonly public_report: string;
  readonly plan: string;
  readonly notes: boolean;
  readonly overwrite: boolean;
}

/** What stands on the cover of the reports. What is left out is a line to fill in. */
export interface ReportCover {
  readonly institution: string;
  readonly survey: string;
  readonly release_type: string;
  readonly version: string;
  readonly date: string;
  readonly signatories: readonly string[];
  readonly language: string;
}

/** Open a report on a release of the file, or get it as a file. */
export interface ReportRequest {
  readonly folder: number;
  readonly path: string;
  readonly plan: string;
  readonly audience: "board" | "public";
  readonly format: "html" | "pdf" | "docx";
}

/** The text of a recode of mu-ARGUS, and of the code list that it names, if there is one. */
export interface GrcRequest {
  readonly variable: string;
  readonly name: string;
  readonly text: string;
  readonly codelist_name: string;
  readonly codelist: string;
}

/** Stop a job. */
export interface CancelRequest {
  readonly job: number;
}

/** What went wrong, in a sentence or two; never a value of a record. */
export interface Problem {
  readonly error: string;
  readonly remedy?: string | null;
  readonly names?: readonly string[];
}

/** The file that is open. */
export interface FileInfo {
  readonly name: string;
  readonly folder: string;
  readonly size: number;
  readonly sha256: string;
  readonly records: number;
  readonly safe_name: string;
}

/** A step that was taken, or would be, and what it did. */
export interface StepTaken {
  readonly number: number;
  readonly step: Step;
  readonly words: string;
  readonly blanks: Readonly<Record<string, number>>;
  readonly total: number;
  readonly records: number;
  readonly stuck: number;
  readonly leaning: number;
  readonly readable: readonly string[];
  readonly results: readonly (readonly [string, string])[];
  readonly draw: string;
}

/** A candidate plan: its name and steps in words. */
export interface PlanInfo {
  readonly name: string;
  readonly steps: readonly string[];
}

/** Something to know before trusting the figures: weight, missing, key, household, file. */
export interface Remark {
  readonly topic: string;
  readonly text: string;
}

/** An earlier session on this file that was not finished. */
export interface SavedSession {
  readonly keys: readonly string[];
  readonly steps: number;
  readonly saved: number;
}

/** All that the page shows at a glance. */
export interface StudySummary {
  readonly revision: number;
  readonly version: string;
  readonly folders: readonly string[];
  readonly file: FileInfo | null;
  readonly names: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly policy: Policy;
  readonly limit: number | null;
  readonly household_limit: number | null;
  readonly steps: readonly StepTaken[];
  readonly confirmed: number;
  readonly plans: readonly PlanInfo[];
  readonly keep: readonly Keep[];
  readonly keep_order: string;
  readonly cover: ReportCover;
  readonly notices: readonly Remark[];
  readonly saved: SavedSession | null;
}

/** A folder, or a file that can be opened. */
export interface Entry {
  readonly name: string;
  readonly kind: "folder" | "file";
  readonly size: number;
}

/** What a folder holds: folders first, then files, by name. */
export interface Listing {
  readonly folder: number;
  readonly path: string;
  readonly entries: readonly Entry[];
}

/** One variable of the file as read. */
export interface VariableInfo {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "integer" | "number" | "boolean" | "date" | "other";
  readonly measure: "nominal" | "ordinal" | "scale" | "unknown";
  readonly categories: number;
  readonly missing: number;
  readonly role: "key" | "weight" | "household" | "identifier" | "other";
  readonly numeric: boolean;
}

/** Every variable of the file as read, in its order. */
export interface Variables {
  readonly records: number;
  readonly variables: readonly VariableInfo[];
}

/** A category with its label (empty if it has none) and records. */
export interface Category {
  readonly code: string;
  readonly label: string;
  readonly records: number;
}

/** Records with a number from `low` (included) to `high` (not included). */
export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly records: number;
}

/** A code of a key with its label (empty if it has none); null is missing. */
export interface KeyValue {
  readonly code: string | null;
  readonly label: string;
}

/** One variable as it now is. */
export interface VariableDetail {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "integer" | "number" | "boolean" | "date" | "other";
  readonly numeric: boolean;
  readonly total: number;
  readonly categories: readonly Category[];
  readonly bins: readonly Bin[];
  readonly missing: number;
  readonly missing_codes: readonly KeyValue[];
}

/** Standard errors of sums over the file, by sampling. */
export interface StandardErrors {
  readonly expected: number;
  readonly rate: number;
  readonly household_expected: number | null;
  readonly household_rate: number | null;
  readonly expected_households: number | null;
}

/** An exceedance curve, or enough points of it to draw and to search. */
export interface CurvePoints {
  readonly exact: boolean;
  readonly records: number;
  readonly risk: readonly number[];
  readonly up_to: readonly number[];
  readonly sum_up_to: readonly number[];
}

/** Risk of households; `expected` counts records, `expected_households` households. */
export interface HouseholdFigures {
  readonly max: number;
  readonly expected: number;
  readonly rate: number;
  readonly households: number;
  readonly expected_households: number;
  readonly curve: CurvePoints;
}

/** What the estimator that was not chosen says. */
export interface OtherEstimator {
  readonly estimator: "cell" | "model";
  readonly max: number;
  readonly expected: number;
  readonly rate: number;
  readonly ratio: number;
  readonly much_higher: boolean;
  readonly curve: CurvePoints;
}

/** Risk under one rule for missing keys. */
export interface GapFigures {
  readonly max: number;
  readonly expected: number;
  readonly rate: number;
  readonly above_limit: number | null;
}

/** Figures on the perturbation of keys. */
export interface PerturbedFigures {
  readonly words: string;
  readonly expected_before: number;
  readonly kept_expected: number;
  readonly kept_realised: number | null;
  readonly informed_gain: number | null;
  readonly new_combinations: number | null;
  readonly new_records: number | null;
}

/** Risk of a file under a scenario, after so many steps. */
export interface RiskFigures {
  readonly scenario: string;
  readonly steps: number;
  readonly title: string;
  readonly records: number;
  readonly cells: number;
  readonly sample_uniques: number;
  readonly max: number;
  readonly expected: number;
  readonly rate: number;
  readonly standard_errors: StandardErrors | null;
  readonly household: HouseholdFigures | null;
  readonly estimator: "cell" | "model";
  readonly proposed: "cell" | "model";
  readonly other: OtherEstimator | null;
  readonly gaps: Readonly<Record<string, GapFigures>>;
  readonly curve: CurvePoints;
  readonly notices: readonly Remark[];
  readonly perturbed: string;
  readonly perturbation: PerturbedFigures | null;
}

/** A limit and what it means, exactly. */
export interface LimitFigures {
  readonly limit: number;
  readonly unsafe: number;
  readonly records: number;
  readonly expected: number;
  readonly rate: number;
  readonly households: number | null;
  readonly other: number | null;
}

/** A limit on household risk and what it means, exactly. */
export interface HouseholdLimitFigures {
  readonly limit: number;
  readonly unsafe: number;
  readonly households: number;
  readonly expected_households: number;
  readonly expected: number;
  readonly rate: number;
  readonly members: Readonly<Record<string, number>>;
}

/** Expected re-identifications without a key, and how many fewer that is. */
export interface KeyContribution {
  readonly key: string;
  readonly without: number;
  readonly fall: number;
}

/** What each key adds to the expected re-identifications, the worst first. */
export interface Contributions {
  readonly expected: number;
  readonly keys: readonly KeyContribution[];
}

/** A combination of keys: records, sample and population frequency, risk. */
export interface RiskyCell {
  readonly values: readonly KeyValue[];
  readonly records: number;
  readonly f: number;
  readonly F: number;
  readonly risk: number;
}

/** The riskiest cells, riskiest first. */
export interface RiskyCells {
  readonly keys: readonly string[];
  readonly cells: readonly RiskyCell[];
}

/** From where to where a figure may well lie. */
export interface Band {
  readonly tau1: readonly [number, number];
  readonly tau2: readonly [number, number];
}

/** Risk of the file as a whole, by a model. */
export interface FileRiskFigures {
  readonly model: string;
  readonly sample_uniques: number;
  readonly tau1: number;
  readonly tau2: number;
  readonly share_unique: number;
  readonly level: "very low" | "low" | "moderate" | "high";
  readonly cells: number;
  readonly average_cell_size: number;
  readonly fit: Readonly<Record<string, unknown>>;
  readonly interval: Band | null;
  readonly notices: readonly string[];
}

/** Records that are linked to their own original: share, number, of how many, and error. */
export interface LinkedRecords {
  readonly rate: number;
  readonly expected: number;
  readonly records: number;
  readonly error: number;
}

/** Linkage by numbers, among records that agree on some keys. */
export interface NumericLinkage {
  readonly keys: readonly string[];
  readonly all: LinkedRecords;
  readonly outer: LinkedRecords;
  readonly adjusted: LinkedRecords | null;
}

/** Whether records can be found again by the numeric variables that steps have changed. */
export interface NumericFigures {
  readonly variables: readonly string[];
  readonly linkages: readonly NumericLinkage[];
  readonly width: number;
  readonly inside: number;
  readonly by_variable: Readonly<Record<string, number>>;
}

/** Known counts of the population beside the estimates for the file before any protection. */
export interface PopulationFigures {
  readonly source: string;
  readonly people: number;
  readonly estimated_people: number;
  readonly expected: number;
  readonly estimated: number;
  readonly ratio: number;
  readonly population_uniques: number;
  readonly differing: number;
  readonly contradicted: number;
  readonly notices: readonly string[];
}

/** Risk of a file in five figures. */
export interface Figures {
  readonly expected: number;
  readonly rate: number;
  readonly max: number;
  readonly sample_uniques: number;
  readonly unsafe: number | null;
  readonly perturbed_by: string;
}

/** What a variable tells of the original before and after, in bits, and its categories. */
export interface InformationChange {
  readonly variable: string;
  readonly bits_before: number;
  readonly bits_after: number;
  readonly lost: number;
  readonly share_lost: number;
  readonly categories_before: number;
  readonly categories_after: number;
}

/** A recode that may be worth its loss: bits, and a share of what its variable told. */
export interface SuggestedStep {
  readonly step: Step;
  readonly words: string;
  readonly before: Figures;
  readonly after: Figures;
  readonly information: readonly InformationChange[];
  readonly lost: number;
  readonly loss: number;
  readonly fall: number;
  readonly fall_per_loss: number;
}

/** Recodes, the best first; figures are those before keys were perturbed, if any was. */
export interface SuggestionList {
  readonly suggestions: readonly SuggestedStep[];
  readonly perturbed: string;
}

/** One field of the form of a step. */
export interface StepField {
  readonly name: string;
  readonly control: "variable" | "variables" | "sets" | "number" | "whole" | "text" | "choice" | "switch" | "matrix" | "groups" | "seed" | null;
  readonly label: string;
  readonly help: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly numeric: boolean;
  readonly changed: boolean;
  readonly ordered: boolean;
  readonly only_with: string;
  readonly way: string;
  readonly required: boolean;
  readonly default: unknown;
}

/** A kind of step as a form asks for it. */
export interface StepKind {
  readonly do: string;
  readonly title: string;
  readonly help: string;
  readonly term: string;
  readonly meaning: string;
  readonly place: "first" | "any" | "last";
  readonly touches: readonly ("key" | "other" | "weight" | "household")[];
  readonly fields: readonly StepField[];
}

/** Every kind of step that there is. */
export interface StepKinds {
  readonly kinds: readonly StepKind[];
}

/** How a number would change; null is what cannot be told. */
export interface NumberEffect {
  readonly variable: string;
  readonly weighted: boolean;
  readonly mean_before: number;
  readonly mean_after: number;
  readonly deviation_before: number;
  readonly deviation_after: number;
  readonly sse: number | null;
  readonly il1s: number | null;
  readonly rank_correlation: number;
}

/** The correlation that would change most: by how much, and of which two variables. */
export interface CorrelationEffect {
  readonly largest: number;
  readonly where: readonly [string, string];
  readonly weighted: boolean;
}

/** A number to be written at an axis; `at` is its place, in bins from the first edge. */
export interface Tick {
  readonly at: number;
  readonly value: number;
}

/** Bins of equal width on the axis; each has its lower edge and not its upper one. */
export interface Axis {
  readonly scale: "linear" | "log" | "symlog";
  readonly edges: readonly number[];
  readonly ticks: readonly Tick[];
}

/** Records by their value before (rows) and after (columns), in the same bins. */
export interface JointCounts {
  readonly axis: Axis;
  readonly counts: readonly (readonly number[])[];
}

/** A numeric variable before and after, in bins with round edges. */
export interface NumberDrawing {
  readonly variable: string;
  readonly weighted: boolean;
  readonly axis: Axis;
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly joint: JointCounts;
}

/** What a step would do to risk and information. */
export interface PreviewFigures {
  readonly step: StepTaken;
  readonly before: Figures;
  readonly after: Figures;
  readonly information: readonly InformationChange[];
  readonly lost: number;
  readonly fall: number;
  readonly variable: VariableDetail | null;
  readonly numbers: readonly NumberEffect[];
  readonly correlation: CorrelationEffect | null;
  readonly pictures: readonly NumberDrawing[];
  readonly notices: readonly Remark[];
}

/** What makes a variable delicate. */
export interface Finding {
  readonly kind: "direct identifier" | "record number" | "household number" | "exact date" | "free text" | "fine geography" | "coordinates" | "exact number" | "telling weight" | "leftover";
  readonly reason: string;
}

/** What becomes of a variable. */
export interface Decision {
  readonly role: "dropped" | "key" | "weight" | "household" | "protected" | "kept" | "undecided";
  readonly by: string;
  readonly why: string;
}

/** One variable of the file as read. */
export interface InventoryVariable {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "integer" | "number" | "boolean" | "date" | "other";
  readonly distinct: number;
  readonly missing: number;
  readonly findings: readonly Finding[];
  readonly decision: Decision;
  readonly barred: boolean;
  readonly open: boolean;
  readonly ways: readonly ("drop" | "renumber" | "keep")[];
}

/** Every variable; `open` names those that stand in the way of a release. */
export interface InventoryList {
  readonly records: number;
  readonly variables: readonly InventoryVariable[];
  readonly open: readonly string[];
}

/** Risk under one scenario, before and after. */
export interface RiskPair {
  readonly scenario: string;
  readonly before: RiskFigures;
  readonly after: RiskFigures;
}

/** What one variable lost; entropy and loss in bits a record. */
export interface LossRow {
  readonly name: string;
  readonly key: boolean;
  readonly known: number;
  readonly blanks: number;
  readonly blank_share: number;
  readonly replaced: number;
  readonly categories: number;
  readonly categories_after: number;
  readonly entropy: number;
  readonly lost: number;
  readonly lost_share: number;
  readonly dropped: boolean;
}

/** How hard blanks of a variable fell on a group of at least 30 records. */
export interface GroupRow {
  readonly name: string;
  readonly by: string;
  readonly category: string;
  readonly label: string;
  readonly known: number;
  readonly blanks: number;
  readonly share: number;
}

/** How a weighted table of one or two variables changed; changes are of shares. */
export interface TableRow {
  readonly names: readonly string[];
  readonly cells: number;
  readonly lost: number;
  readonly largest: number;
  readonly where: readonly string[];
  readonly mean: number;
  readonly hellinger: number;
}

/** Largest relative change of means and totals of a numeric variable by a key. */
export interface MeanRow {
  readonly name: string;
  readonly by: string;
  readonly mean_change: number | null;
  readonly mean_where: string;
  readonly total_change: number | null;
  readonly total_where: string;
}

/** How correlations of numeric variables changed. */
export interface CorrelationTable {
  readonly weighted: boolean;
  readonly pairs: number;
  readonly largest: number;
  readonly where: readonly [string, string];
  readonly mean: number;
  readonly names: readonly string[];
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

/** What an analyst of numeric variables finds. */
export interface UtilityFigures {
  readonly numbers: readonly NumberEffect[];
  readonly correlations: CorrelationTable | null;
  readonly pictures: readonly NumberDrawing[];
  readonly pmse: number | null;
  readonly pmse_ratio: number | null;
}

/** What some steps cost. */
export interface Cost {
  readonly records: number;
  readonly blanks: number;
  readonly replaced: number;
  readonly touched: number;
  readonly touched_weight: number;
  readonly losses: readonly LossRow[];
  readonly groups: readonly GroupRow[];
  readonly tables: readonly TableRow[];
  readonly tables_left_out: number;
  readonly means: readonly MeanRow[];
  readonly dropped: readonly string[];
  readonly notes: readonly string[];
  readonly utility: UtilityFigures | null;
}

/** The state after `to` steps and the present one, side by side. */
export interface ComparisonFigures {
  readonly to: number;
  readonly risks: readonly RiskPair[];
  readonly cost: Cost;
}

/** A candidate plan: its steps, the risk it leaves, and what it costs. */
export interface PlanFigures {
  readonly name: string;
  readonly steps: readonly StepTaken[];
  readonly risks: readonly RiskFigures[];
  readonly cost: Cost;
}

/** Two candidate plans against each other, both seen from the file as read. */
export interface PlanComparison {
  readonly one: PlanFigures;
  readonly other: PlanFigures;
}

/** One rule, what was measured, and whether it is met. */
export interface Verdict {
  readonly rule: string;
  readonly scenario: string;
  readonly limit: number;
  readonly value: number | null;
  readonly met: boolean;
  readonly reason: string;
  readonly note: string;
}

/** What the policy says of the present state; `allowed` if nothing stands in the way. */
export interface Verdicts {
  readonly allowed: boolean;
  readonly verdicts: readonly Verdict[];
  readonly open: readonly string[];
}

/** A file that was written. */
export interface WrittenFile {
  readonly name: string;
  readonly sha256: string;
}

/** What became of a release; nothing was written unless it is allowed. */
export interface ReleaseResult {
  readonly allowed: boolean;
  readonly verdicts: readonly Verdict[];
  readonly open: readonly string[];
  readonly folder: string;
  readonly files: readonly WrittenFile[];
  readonly notices: readonly Remark[];
}

/** A release of the file that is open, by its lock. */
export interface ReleasedPlan {
  readonly plan: string;
  readonly file: string;
  readonly report: string;
  readonly public_report: string;
}

/** Releases in a folder of the file that is open, by name of the plan. */
export interface ReleaseList {
  readonly plans: readonly ReleasedPlan[];
  readonly formats: readonly ("html" | "pdf" | "docx")[];
}

/** Address of a report while the app runs; it opens nothing else. */
export interface ReportLink {
  readonly address: string;
  readonly name: string;
}

/** The plan as a plan file and as a Python script. */
export interface PlanText {
  readonly plan: string;
  readonly script: string;
}

/** The step that a recode of mu-ARGUS stands for. */
export interface GrcStep {
  readonly step: Recode;
  readonly notices: readonly string[];
}

/** A recode as a file of mu-ARGUS, and its code list (empty if there are no labels). */
export interface GrcText {
  readonly name: string;
  readonly text: string;
  readonly codelist_name: string;
  readonly codelist: string;
}

/** Whether there was still something to stop. */
export interface CancelAnswer {
  readonly running: boolean;
}

/** The job was taken on; other jobs may still be before it. */
export interface JobStarted {
  readonly job: number;
}

/** How far the present stage is, from 0 to 1. */
export interface JobProgress {
  readonly job: number;
  readonly stage: string;
  readonly fraction: number;
}

/** The job ended without an answer: the status and problem that a plain answer would have. */
export interface JobFailed {
  readonly status: number;
  readonly error: string;
  readonly remedy?: string | null;
  readonly names?: readonly string[];
}

export type Step = Recode | TopCode | BottomCode | Drop | Microaggregate | Pram | RankSwap | Renumber | Round | Noise | Sample | Shuffle | Suppress | Swap;

export type StepInput = Given<Recode, "do" | "variable"> | Given<TopCode, "do" | "variable"> | Given<BottomCode, "do" | "variable"> | Given<Drop, "do" | "variables"> | Given<Microaggregate, "do" | "variables"> | Given<Pram, "do" | "variable" | "seed"> | Given<RankSwap, "do" | "variables" | "seed"> | Given<Renumber, "do" | "variable" | "seed"> | Given<Round, "do" | "variable" | "base"> | Given<Noise, "do" | "variables" | "seed"> | Given<Sample, "do" | "fraction" | "seed"> | Given<Shuffle, "do" | "variables" | "given" | "seed"> | Given<Suppress, "do"> | Given<Swap, "do" | "household" | "areas" | "seed">;

export type BrowseQueryInput = Given<BrowseQuery, never>;

export type OpenRequestInput = Given<OpenRequest, "folder" | "path">;

export type NameQueryInput = Given<NameQuery, "name">;

export type ScenarioInput = Given<Scenario, "keys">;

export type RiskQueryInput = Given<RiskQuery, never>;

export type LimitTargetInput = Given<LimitTarget, never>;

export type HouseholdLimitTargetInput = Given<HouseholdLimitTarget, never>;

export type ScenarioQueryInput = Given<ScenarioQuery, never>;

export type CellsQueryInput = Given<CellsQuery, never>;

export type PopulationQueryInput = Given<PopulationQuery, "path">;

export type SuggestionQueryInput = Given<SuggestionQuery, never>;

export type RollbackRequestInput = Given<RollbackRequest, "to">;

export type KeepInput = Given<Keep, "variables" | "why">;

export type OrderRequestInput = Given<OrderRequest, never>;

export type ComparisonQueryInput = Given<ComparisonQuery, never>;

export type PlanComparisonQueryInput = Given<PlanComparisonQuery, "one">;

export type PolicyInput = Given<Policy, never>;

export type ReleaseRequestInput = Given<ReleaseRequest, "file">;

export type ReportCoverInput = Given<ReportCover, never>;

export type ReportRequestInput = Given<ReportRequest, "plan" | "audience">;

export type GrcRequestInput = Given<GrcRequest, "variable" | "name" | "text">;

export type CancelRequestInput = Given<CancelRequest, "job">;

export interface Api {
  "GET /api/study": { body: null; query: null; answer: StudySummary; job: false };
  "GET /api/files": { body: null; query: BrowseQueryInput; answer: Listing; job: false };
  "POST /api/open": { body: OpenRequestInput; query: null; answer: StudySummary; job: true };
  "POST /api/demo": { body: null; query: null; answer: StudySummary; job: true };
  "POST /api/resume": { body: null; query: null; answer: StudySummary; job: true };
  "GET /api/variables": { body: null; query: null; answer: Variables; job: true };
  "GET /api/variable": { body: null; query: NameQueryInput; answer: VariableDetail; job: true };
  "PUT /api/scenario": { body: ScenarioInput; query: null; answer: StudySummary; job: true };
  "DELETE /api/scenario": { body: null; query: NameQueryInput; answer: StudySummary; job: true };
  "GET /api/risk": { body: null; query: RiskQueryInput; answer: RiskFigures; job: true };
  "POST /api/limit": { body: LimitTargetInput; query: null; answer: LimitFigures; job: true };
  "POST /api/household-limit": { body: HouseholdLimitTargetInput; query: null; answer: HouseholdLimitFigures; job: true };
  "GET /api/contributions": { body: null; query: ScenarioQueryInput; answer: Contributions; job: true };
  "GET /api/cells": { body: null; query: CellsQueryInput; answer: RiskyCells; job: true };
  "GET /api/file-risk": { body: null; query: ScenarioQueryInput; answer: FileRiskFigures; job: true };
  "GET /api/numeric-risk": { body: null; query: ScenarioQueryInput; answer: NumericFigures; job: true };
  "GET /api/population": { body: null; query: PopulationQueryInput; answer: PopulationFigures; job: true };
  "GET /api/suggestions": { body: null; query: SuggestionQueryInput; answer: SuggestionList; job: true };
  "GET /api/steps": { body: null; query: null; answer: StepKinds; job: false };
  "POST /api/preview": { body: StepInput; query: ScenarioQueryInput; answer: PreviewFigures; job: true };
  "POST /api/steps": { body: StepInput; query: null; answer: StudySummary; job: true };
  "POST /api/rollback": { body: RollbackRequestInput; query: null; answer: StudySummary; job: true };
  "GET /api/inventory": { body: null; query: null; answer: InventoryList; job: true };
  "PUT /api/keep": { body: KeepInput; query: null; answer: StudySummary; job: true };
  "PUT /api/order": { body: OrderRequestInput; query: null; answer: StudySummary; job: true };
  "POST /api/confirm": { body: null; query: null; answer: StudySummary; job: true };
  "GET /api/compare": { body: null; query: ComparisonQueryInput; answer: ComparisonFigures; job: true };
  "POST /api/plans": { body: NameQueryInput; query: null; answer: StudySummary; job: true };
  "DELETE /api/plans": { body: null; query: NameQueryInput; answer: StudySummary; job: true };
  "POST /api/plans/use": { body: NameQueryInput; query: null; answer: StudySummary; job: true };
  "GET /api/plans/compare": { body: null; query: PlanComparisonQueryInput; answer: PlanComparison; job: true };
  "PUT /api/policy": { body: PolicyInput; query: null; answer: StudySummary; job: true };
  "GET /api/verdicts": { body: null; query: null; answer: Verdicts; job: true };
  "POST /api/release": { body: ReleaseRequestInput; query: null; answer: ReleaseResult; job: true };
  "PUT /api/cover": { body: ReportCoverInput; query: null; answer: StudySummary; job: true };
  "GET /api/releases": { body: null; query: BrowseQueryInput; answer: ReleaseList; job: false };
  "POST /api/report": { body: ReportRequestInput; query: null; answer: ReportLink; job: true };
  "GET /api/plan": { body: null; query: null; answer: PlanText; job: true };
  "POST /api/grc": { body: GrcRequestInput; query: null; answer: GrcStep; job: true };
  "POST /api/grc/export": { body: Given<Recode, "do" | "variable">; query: null; answer: GrcText; job: true };
  "POST /api/cancel": { body: CancelRequestInput; query: null; answer: CancelAnswer; job: false };
}

export interface Events {
  "started": JobStarted;
  "progress": JobProgress;
  "failed": JobFailed;
}

export const MOST_POINTS = 4000;
export const MOST_CATEGORIES = 1000;
export const MOST_CELLS = 100;
export const MOST_ROWS = 50;
export const MUCH_HIGHER = 1.25;
export const LANGUAGES = ["en", "de"];
