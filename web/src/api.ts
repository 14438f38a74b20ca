// Made by `uv run python -m microsafe.app.page_types` from src/microsafe/app/messages.
// Change those modules, not this file.

/** What must be given of T, and what may be left out. */
type Given<T, K extends keyof T> = Pick<T, K> & Partial<Omit<T, K>>;

/** Give a variable fewer categories, in one of four ways. */
export interface Recode {
  readonly do: "recode";
  readonly variable: string;
  readonly groups: Readonly<Record<string, readonly (string | number | readonly [string | number | null, string | number | null])[] | string | number>> | null;
  readonly other: string | number | null;
  readonly breaks: readonly number[] | null;
  readonly names: readonly (string | number)[];
  readonly keep: number | null;
  readonly classification: readonly (Readonly<Record<string, string | number>>)[] | Readonly<Record<string, string | number>> | null;
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
  readonly within: readonly (readonly (string | number)[])[];
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
  readonly seed: number | null;
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

/** Keep one person of each household, or the two oldest; the household number goes. */
export interface Members {
  readonly do: "members";
  readonly keep: "one" | "oldest";
  readonly seed: number | null;
  readonly household: string;
  readonly age: string | null;
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
  readonly guarantee: "own" | "strict" | "shared" | "view";
  readonly cost: Readonly<Record<string, number>> | "entropy" | null;
  readonly spare: readonly string[];
  readonly scenarios: readonly string[];
  readonly linked: Readonly<Record<string, readonly string[]>>;
  readonly household: number | Readonly<Record<string, number>> | null;
  readonly up_to: number | null;
  readonly levels: Readonly<Record<string, number>>;
  readonly people: boolean;
  readonly together: boolean;
  readonly by_value: boolean;
  readonly joint: boolean;
  readonly seed: number | null;
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
  readonly files: "data" | "plan" | "codebook";
}

/** Open a file below one of the folders that were named at start. */
export interface OpenRequest {
  readonly encoding: string | null;
  readonly separator: string | null;
  readonly comment: string | null;
  readonly na: readonly string[];
  readonly sheet: string | null;
  readonly decimal: "." | "," | null;
  readonly thousands: string | null;
  readonly folder: number;
  readonly path: string;
}

/** Join the households of the persons in the file that is open. */
export interface JoinRequest {
  readonly folder: number;
  readonly path: string;
  readonly on: string;
  readonly sheet: string;
}

/** A decision that somebody takes otherwise; what is null stays as it is. */
export interface GuideRequest {
  readonly profile: "public" | "scientific" | "secure" | null;
  readonly keys: readonly string[] | null;
  readonly move: string;
  readonly place: "out" | "known" | "answer";
  readonly why: string;
  readonly choice: "detail" | "balanced" | "blanks" | "households" | null;
  readonly answer: string;
  readonly by_record: boolean;
  readonly anew: boolean;
}

/** A variable, scenario or candidate plan by name. */
export interface NameQuery {
  readonly name: string;
}

/** How a file is read; None leaves it to the file. */
export interface ReadingOptions {
  readonly encoding: string | null;
  readonly separator: string | null;
  readonly comment: string | null;
  readonly na: readonly string[];
  readonly sheet: string | null;
  readonly decimal: "." | "," | null;
  readonly thousands: string | null;
}

/** What is said of one variable; what is None or empty stays as the file has it. */
export interface Declaration {
  readonly type: "number" | "category" | "date" | "text" | null;
  readonly label: string | null;
  readonly missing: readonly (string | number)[] | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly order: readonly (string | number)[];
  readonly decimals: number | null;
  readonly unit: string;
  readonly decimal: string;
  readonly thousands: string;
  readonly dates: string;
  readonly role: "key" | "weight" | "household" | "identifier" | "sensitive" | "stratum" | "geography" | "id" | "other" | null;
  readonly level: number | null;
  readonly cost: number | null;
  readonly linked: readonly string[];
  readonly household_level: boolean | null;
  readonly identifying: boolean | null;
}

/** Read the file so; `fresh` gives up scenarios and steps that do not fit any more. */
export interface MetadataRequest {
  readonly reading: ReadingOptions;
  readonly declarations: Readonly<Record<string, Declaration>>;
  readonly fresh: boolean;
}

/** What one variable would be if this was said of it. */
export interface DeclarationRequest {
  readonly name: string;
  readonly declaration: Declaration;
}

/** Read a codebook below one of the folders that were named at start. */
export interface CodebookRequest {
  readonly folder: number;
  readonly path: string;
}

/** The codebook of the file in a format. */
export interface CodebookQuery {
  readonly format: "csv" | "xml" | "rda";
}

/** A variable, the axis of its numbers, and the state after so many steps (now if null). */
export interface ExploreQuery {
  readonly name: string;
  readonly axis: "auto" | "linear" | "log";
  readonly steps: number | null;
}

/** Two variables, and the state after so many steps (now if null). */
export interface CrossQuery {
  readonly rows: string;
  readonly columns: string;
  readonly steps: number | null;
}

/** One set of keys and the assumptions that go with it. */
export interface Scenario {
  readonly keys: readonly string[];
  readonly weight: string | null;
  readonly household: string | null;
  readonly person: string | null;
  readonly wave: string | null;
  readonly person_weights: "wave" | "file";
  readonly missing: "integrate" | "category" | "wildcard" | "expected" | Readonly<Record<string, "category">> | null;
  readonly alpha: number;
  readonly attack: "all" | "random" | "ratio" | "weight";
  readonly factor: number;
  readonly error: Readonly<Record<string, number>>;
  readonly clip_weights: boolean;
  readonly estimator: "cell" | "model" | null;
  readonly why: string;
  readonly name: string;
}

/** All scenarios, in order; the first is "main". */
export interface ScenarioList {
  readonly scenarios: readonly Scenario[];
  readonly renamed: Readonly<Record<string, string>>;
}

/** Limits of one scenario; null if that of all others holds. */
export interface ScenarioLimits {
  readonly scenario: string;
  readonly limit: number | null;
  readonly household_limit: number | null;
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

/** Which numbers an intruder knows, and with which state the present one is compared. */
export interface NumericQuery {
  readonly scenario: string;
  readonly variables: readonly string[];
  readonly to: number;
  readonly width: number;
  readonly by: "deviation" | "ranks";
  readonly repeats: number;
}

/** Which combinations of values are unsafe. */
export interface CombinationsQuery {
  readonly scenario: string;
  readonly by: "k" | "risk" | "levels";
  readonly k: number;
  readonly above: number | null;
  readonly max_size: number | null;
  readonly levels: readonly string[];
}

/** Minimal sample uniques of at most so many keys, and the sampling fraction (both or null). */
export interface UniquesQuery {
  readonly scenario: string;
  readonly max_size: number | null;
  readonly fraction: number | null;
}

/** Geography, a broader one or none, and the limit on coefficients of variation. */
export interface AreasQuery {
  readonly scenario: string;
  readonly areas: string;
  readonly parent: string;
  readonly limit: number;
}

/** All tables of at most `dimension` keys; a cell needs so many records, or people, or 3. */
export interface TabulationQuery {
  readonly scenario: string;
  readonly dimension: number;
  readonly min_count: number | null;
  readonly min_weight: number | null;
}

/** Sensitive variables, those whose values have an order, and what is asked of classes. */
export interface DiversityQuery {
  readonly scenario: string;
  readonly sensitive: readonly string[];
  readonly ordered: readonly string[];
  readonly l: number;
  readonly c: number;
  readonly t: number;
}

/** How the risk of the file is estimated. */
export interface FileRiskQuery {
  readonly scenario: string;
  readonly model: string;
  readonly interactions: readonly string[];
  readonly fraction: number | null;
  readonly pi: "cell" | "file";
  readonly opinions: readonly string[];
}

/** A file with known counts; `count` names the number of people, a row is one if empty. */
export interface PopulationQuery {
  readonly scenario: string;
  readonly folder: number;
  readonly path: string;
  readonly count: string;
}

/** Ladders that somebody has edited, by key; the others are as the data suggest. */
export interface LadderRequest {
  readonly ladders: Readonly<Record<string, readonly unknown[]>>;
}

/** Which plan to look for. */
export interface ProposeRequest {
  readonly touched: number | null;
  readonly spare: readonly string[];
  readonly ladders: Readonly<Record<string, readonly unknown[]>>;
  readonly guarantee: "own" | "strict" | "view" | null;
  readonly seconds: number;
  readonly rules: Readonly<Record<string, number | Readonly<Record<string, number>>>>;
  readonly utility: Readonly<Record<string, number>>;
}

/** A proposal by its number; the last one if null. */
export interface ProposalQuery {
  readonly proposal: number | null;
}

/** A point of the frontier of a proposal, or the nearest plan. */
export interface PointQuery {
  readonly proposal: number;
  readonly point: number;
}

/** Keep the plan of a point as a candidate, to compare it. */
export interface KeepRequest {
  readonly proposal: number;
  readonly point: number;
  readonly name: string;
}

/** Recodes that are worth their loss. */
export interface SuggestionQuery {
  readonly scenario: string;
  readonly most: number;
}

/** What protects families, and whether a household keeps to a limit then. */
export interface FamilyQuery {
  readonly scenario: string;
  readonly limit: number | null;
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

/** A table that matters. */
export interface TableUse {
  readonly of: readonly string[];
  readonly weight: number;
}

/** A regression that matters. */
export interface ModelUse {
  readonly formula: string;
  readonly weight: number;
}

/** What users need, and how much of it: weights of variables, tables and models. */
export interface Uses {
  readonly variables: Readonly<Record<string, number>>;
  readonly others: number;
  readonly tables: readonly TableUse[];
  readonly models: readonly ModelUse[];
}

/** A table of one or two variables, after `to` steps and now. */
export interface TableQuery {
  readonly of: readonly string[];
  readonly to: number;
}

/** A regression, after `to` steps and now. */
export interface ModelQuery {
  readonly formula: string;
  readonly to: number;
}

/** Two candidate plans by name; empty stands for the present steps. */
export interface PlanComparisonQuery {
  readonly one: string;
  readonly other: string;
}

/** Say who gets the file. */
export interface ProfileRequest {
  readonly profile: "public" | "scientific" | "secure";
}

/** Limits that a released file must keep; None asks for nothing. */
export interface Policy {
  readonly record_risk: number | Readonly<Record<string, number>> | null;
  readonly expected: number | null;
  readonly rate: number | null;
  readonly household_risk: number | Readonly<Record<string, number>> | null;
  readonly household_rate: number | null;
  readonly expected_households: number | null;
  readonly tau1: number | null;
  readonly tau1_share: number | null;
  readonly tau2: number | null;
  readonly k: number | null;
  readonly given_away: number | null;
  readonly intruders: Readonly<Record<string, number>>;
  readonly publish_matrix: boolean;
  readonly override: Readonly<Record<string, string>>;
}

/** Write the safe file, both reports, the plan and its lock into a folder. */
export interface ReleaseRequest {
  readonly file: string;
  readonly report: string;
  readonly public_report: string;
  readonly codebook: string;
  readonly notes: boolean;
  readonly folder: number;
  readonly path: string;
  readonly plan: string;
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

/** Open a plan below one of the folders that were named at start. */
export interface PlanRequest {
  readonly folder: number;
  readonly path: string;
}

/** Save the plan of the session, with its seeds in a private file beside it. */
export interface SavePlanRequest {
  readonly folder: number;
  readonly path: string;
  readonly plan: string;
  readonly scripts: boolean;
  readonly overwrite: boolean;
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
  readonly keep: boolean;
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
  readonly metadata: string;
  readonly declared: number;
  readonly joined: string;
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
  readonly declared: number;
  readonly saved: number;
}

/** What declarations say where nobody says otherwise. */
export interface RoleDefaults {
  readonly keys: readonly string[];
  readonly weight: string | null;
  readonly household: string | null;
  readonly identifiers: readonly string[];
  readonly ids: readonly string[];
  readonly sensitive: readonly string[];
  readonly strata: readonly string[];
  readonly geography: readonly string[];
  readonly levels: Readonly<Record<string, number>>;
  readonly costs: Readonly<Record<string, number>>;
  readonly linked: Readonly<Record<string, readonly string[]>>;
  readonly shared: readonly string[];
}

/** All that the page shows at a glance. */
export interface StudySummary {
  readonly revision: number;
  readonly version: string;
  readonly folders: readonly string[];
  readonly file: FileInfo | null;
  readonly names: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly profile: "public" | "scientific" | "secure" | null;
  readonly policy: Policy;
  readonly limit: number | null;
  readonly household_limit: number | null;
  readonly limits: Readonly<Record<string, number>>;
  readonly household_limits: Readonly<Record<string, number>>;
  readonly steps: readonly StepTaken[];
  readonly confirmed: number;
  readonly proposed: boolean;
  readonly plans: readonly PlanInfo[];
  readonly keep: readonly Keep[];
  readonly keep_order: string;
  readonly cover: ReportCover;
  readonly uses: Uses | null;
  readonly notices: readonly Remark[];
  readonly saved: SavedSession | null;
  readonly roles: RoleDefaults;
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

/** A variable as it was read, with its first values; none where they tell people apart. */
export interface GuideColumn {
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly missing: number;
  readonly masked: boolean;
  readonly values: readonly string[];
}

/** A word that is taken as missing: how often it stands where. */
export interface GuideWord {
  readonly word: string;
  readonly values: number;
  readonly variables: readonly string[];
}

/** Somebody who may get the file, and what is usual then. */
export interface GuideProfile {
  readonly name: "public" | "scientific" | "secure";
  readonly who: string;
  readonly release_type: string;
  readonly limit: number;
  readonly people: number;
}

/** What somebody knows who might look for a person in the file. */
export interface ProposedScenario {
  readonly name: string;
  readonly keys: readonly string[];
  readonly why: string;
}

/** A variable, in which list it stands, and why. */
export interface ListedVariable {
  readonly name: string;
  readonly label: string;
  readonly group: "direct identifier" | "tells a key" | "known outside" | "sensitive" | "exact number" | "free text" | "date" | "design" | "in a scenario" | "answer";
  readonly place: "out" | "known" | "answer";
  readonly why: string;
  readonly moved: boolean;
}

/** A plan to choose from: records that lose a value, what the keys lose, and a sentence. */
export interface GuidePlan {
  readonly name: "detail" | "balanced" | "blanks" | "households";
  readonly touched: number;
  readonly loss: number;
  readonly sentence: string;
}

/** The five decisions as they stand. */
export interface GuideFigures {
  readonly study: StudySummary;
  readonly revision: number;
  readonly records: number;
  readonly columns: readonly GuideColumn[];
  readonly words: readonly GuideWord[];
  readonly persons: string;
  readonly profile: "public" | "scientific" | "secure";
  readonly profiles: readonly GuideProfile[];
  readonly cards: readonly ProposedScenario[];
  readonly keys: readonly string[];
  readonly weight: string | null;
  readonly household: string | null;
  readonly household_left_out: boolean;
  readonly variables: readonly ListedVariable[];
  readonly reasons: Readonly<Record<string, string>>;
  readonly searched: boolean;
  readonly words_found: string;
  readonly met: boolean;
  readonly plans: readonly GuidePlan[];
  readonly choice: "detail" | "balanced" | "blanks" | "households";
  readonly steps: readonly string[];
}

/** A category, and how many records have it. */
export interface CategoryCount {
  readonly code: string;
  readonly label: string;
  readonly records: number;
  readonly weighted: number | null;
}

/** Records with a number from `low` (included) to `high` (not included). */
export interface Bin {
  readonly low: number;
  readonly high: number;
  readonly records: number;
}

/** What makes a variable delicate. */
export interface Finding {
  readonly kind: "direct identifier" | "record number" | "household number" | "exact date" | "free text" | "fine geography" | "coordinates" | "exact number" | "telling weight" | "tells a key" | "leftover";
  readonly reason: string;
}

/** What becomes of a variable. */
export interface Decision {
  readonly role: "dropped" | "key" | "weight" | "household" | "protected" | "kept" | "undecided";
  readonly by: string;
  readonly why: string;
}

/** One variable. What nobody looked at has its default. */
export interface VariableProfile {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "integer" | "number" | "boolean" | "date" | "time" | "duration" | "other";
  readonly measure: "nominal" | "ordinal" | "scale" | "unknown";
  readonly distinct: number;
  readonly missing: number;
  readonly missing_codes: readonly string[];
  readonly numeric: boolean;
  readonly numbers: number | null;
  readonly texts: number | null;
  readonly categories: readonly CategoryCount[];
  readonly bins: readonly Bin[];
  readonly type: "number" | "category" | "date" | "text" | null;
  readonly declaration: Declaration | null;
  readonly proposed: Declaration | null;
  readonly why_proposed: string;
  readonly fault: string;
  readonly role: "key" | "weight" | "household" | "identifier" | "other";
  readonly meaning: string;
  readonly sensitive: boolean;
  readonly reason: string;
  readonly place: number | null;
  readonly combinations: number | null;
  readonly uniques: number | null;
  readonly adds: number | null;
  readonly findings: readonly Finding[];
  readonly decision: Decision;
  readonly barred: boolean;
  readonly changed: boolean;
  readonly homes: boolean;
  readonly mixture: string;
  readonly open: boolean;
  readonly group: "direct identifier" | "tells a key" | "known outside" | "sensitive" | "exact number" | "free text" | "date" | "design" | "in a scenario" | "answer";
  readonly ways: readonly ("drop" | "renumber" | "coarsen" | "key" | "keep")[];
}

/** Every variable of the file as read, in its order. */
export interface Variables {
  readonly records: number;
  readonly variables: readonly VariableProfile[];
}

/** Words that look like missing in a column of numbers, their records, and what to declare. */
export interface MissingProposal {
  readonly name: string;
  readonly words: readonly string[];
  readonly records: number;
  readonly declaration: Declaration;
}

/** What is said so far. */
export interface FileMetadata {
  readonly reading: ReadingOptions;
  readonly options: readonly ("sheet" | "encoding" | "separator" | "comment")[];
  readonly sheets: readonly string[];
  readonly declarations: Readonly<Record<string, Declaration>>;
  readonly proposals: readonly MissingProposal[];
}

/** One variable as it would be read. */
export interface VariableReading {
  readonly name: string;
  readonly label: string;
  readonly kind: "text" | "integer" | "number" | "boolean" | "date" | "time" | "duration" | "other";
  readonly measure: "nominal" | "ordinal" | "scale" | "unknown";
  readonly distinct: number;
  readonly missing: number;
  readonly missing_codes: readonly string[];
  readonly numeric: boolean;
  readonly numbers: number | null;
  readonly texts: number | null;
  readonly categories: readonly CategoryCount[];
  readonly bins: readonly Bin[];
  readonly type: "number" | "category" | "date" | "text";
  readonly declaration: Declaration | null;
  readonly proposed: Declaration | null;
  readonly why_proposed: string;
  readonly fault: string;
  readonly role: "key" | "weight" | "household" | "identifier" | "other";
  readonly meaning: string;
  readonly sensitive: boolean;
  readonly reason: string;
  readonly place: number | null;
  readonly combinations: number | null;
  readonly uniques: number | null;
  readonly adds: number | null;
  readonly findings: readonly Finding[];
  readonly decision: Decision;
  readonly barred: boolean;
  readonly changed: boolean;
  readonly homes: boolean;
  readonly missing_labels: Readonly<Record<string, string>>;
  readonly odd: readonly CategoryCount[];
  readonly odd_others: number;
  readonly mixture: string;
  readonly open: boolean;
  readonly group: "direct identifier" | "tells a key" | "known outside" | "sensitive" | "exact number" | "free text" | "date" | "design" | "in a scenario" | "answer";
  readonly ways: readonly ("drop" | "renumber" | "coarsen" | "key" | "keep")[];
}

/** What a codebook says of variables of the file; `unknown` names those it does not have. */
export interface Codebook {
  readonly declarations: Readonly<Record<string, Declaration>>;
  readonly unknown: readonly string[];
}

/** A file of a codebook: itself, or a code list beside it. */
export interface CodebookFile {
  readonly name: string;
  readonly text: string;
}

/** The files of a codebook. */
export interface CodebookFiles {
  readonly files: readonly CodebookFile[];
}

/** A category, a bin or what is missing. */
export interface ExploredCount {
  readonly text: string;
  readonly records: number | null;
  readonly weighted: number | null;
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

/** Below `value` lies this share of the records, about; the number is rounded. */
export interface Quantile {
  readonly share: number;
  readonly value: number;
}

/** One variable in some state. */
export interface ExploredVariable {
  readonly name: string;
  readonly label: string;
  readonly records: number;
  readonly counts: readonly ExploredCount[];
  readonly pooled: number;
  readonly missing: ExploredCount;
  readonly axis: Axis | null;
  readonly quantiles: readonly Quantile[];
  readonly least: number;
}

/** Two variables against each other in some state. */
export interface CrossCounts {
  readonly names: readonly [string, string];
  readonly labels: readonly [string, string];
  readonly records: number;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly counts: readonly (readonly (number | null)[])[];
  readonly weighted: readonly (readonly (number | null)[])[] | null;
  readonly row_totals: readonly (number | null)[];
  readonly column_totals: readonly (number | null)[];
  readonly least: number;
}

/** Ready-made scenarios, by what the keys of the file are about. */
export interface ProposedScenarios {
  readonly scenarios: readonly ProposedScenario[];
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

/** What an intruder would find in a file. */
export interface IntruderResult {
  readonly unit: "persons" | "households" | "records";
  readonly units: number;
  readonly expected: number | null;
  readonly largest: number | null;
  readonly above: number | null;
  readonly certain: number | null;
  readonly share: number;
  readonly standard_error: number | null;
  readonly not_tried: string;
}

/** What one intruder would find under one scenario. */
export interface IntruderRow {
  readonly name: string;
  readonly title: string;
  readonly knows: string;
  readonly scenario: string | null;
  readonly unit: "persons" | "households" | "records" | null;
  readonly now: IntruderResult;
  readonly before: IntruderResult | null;
  readonly rule: string | null;
  readonly limit: number | null;
  readonly met: boolean | null;
  readonly not_tried: string;
}

/** Who could recognise whom in the present state, judged by the policy. */
export interface IntruderList {
  readonly verdict: string;
  readonly rows: readonly IntruderRow[];
  readonly notices: readonly Remark[];
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

/** What one key adds to the risk of the file. */
export interface Contribution {
  readonly key: string;
  readonly without: number;
  readonly fall: number;
}

/** What each key adds to the expected re-identifications, the worst first. */
export interface Contributions {
  readonly expected: number;
  readonly keys: readonly Contribution[];
}

/** A code of a key with its label (empty if it has none); null is missing. */
export interface KeyValue {
  readonly code: string | null;
  readonly label: string;
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

/** How many of some records are linked. */
export interface LinkCounts {
  readonly records: number;
  readonly searched: number;
  readonly rate: number;
  readonly error: number;
  readonly expected: number;
}

/** Linkage by numbers, among records that agree on some keys. */
export interface NumericLinkage {
  readonly keys: readonly string[];
  readonly all: LinkCounts;
  readonly outer: LinkCounts;
  readonly adjusted: LinkCounts | null;
  readonly window: LinkCounts | null;
}

/** Whether records can be found again by numeric variables. */
export interface NumericFigures {
  readonly variables: readonly string[];
  readonly linkages: readonly NumericLinkage[];
  readonly width: number;
  readonly inside: number;
  readonly by_variable: Readonly<Record<string, number>>;
}

/** A code of a key: its records, and a count for each dimension. */
export interface CodeRow {
  readonly value: KeyValue;
  readonly records: number;
  readonly counts: readonly number[];
}

/** A key with a count for each dimension, and its codes. */
export interface KeyRow {
  readonly key: string;
  readonly label: string;
  readonly counts: readonly number[];
  readonly of: readonly number[];
  readonly codes: readonly CodeRow[];
  readonly hidden: number;
}

/** Minimal unsafe combinations. */
export interface CombinationFigures {
  readonly records: number;
  readonly unsafe_records: number;
  readonly combinations: number;
  readonly dimensions: readonly number[];
  readonly counts: readonly number[];
  readonly keys: readonly KeyRow[];
  readonly perturbed: string;
}

/** A code of a key, and its share of the scores. */
export interface CodeShare {
  readonly value: KeyValue;
  readonly share: number;
}

/** A key, its share of the scores, and that of its codes, the largest first. */
export interface KeyShare {
  readonly key: string;
  readonly label: string;
  readonly share: number;
  readonly codes: readonly CodeShare[];
}

/** Special uniques (SUDA). */
export interface UniqueFigures {
  readonly records: number;
  readonly sample_uniques: number;
  readonly special: number;
  readonly combinations: number;
  readonly dimensions: readonly number[];
  readonly counts: readonly number[];
  readonly max_size: number;
  readonly largest: number;
  readonly scores: readonly Bin[];
  readonly dis: readonly Bin[];
  readonly largest_dis: number;
  readonly match: number;
  readonly fraction: number;
  readonly keys: readonly KeyShare[];
  readonly perturbed: string;
}

/** Categories to be merged, and what to call them. */
export interface AreaGroup {
  readonly code: string;
  readonly label: string;
  readonly codes: readonly string[];
}

/** A variable, or geography and a key: cells, those above the limit, and what to merge. */
export interface AreaTableRow {
  readonly keys: readonly string[];
  readonly cells: number;
  readonly above: number;
  readonly largest: number;
  readonly merge: readonly AreaGroup[];
  readonly supported: boolean;
}

/** How sure the survey is of the people in small areas. */
export interface AreaFigures {
  readonly clusters: number;
  readonly by_household: boolean;
  readonly limit: number;
  readonly tables: readonly AreaTableRow[];
  readonly perturbed: string;
}

/** All tables of a dimension: how many, their cells, and the sparse ones. */
export interface DimensionRow {
  readonly dimension: number;
  readonly tables: number;
  readonly cells: number;
  readonly sparse: number;
}

/** One table: its keys, cells, sparse cells, and records. */
export interface SparseTableRow {
  readonly keys: readonly string[];
  readonly cells: number;
  readonly sparse: number;
  readonly records: number;
}

/** An intruder: largest and average risk, and the share of records above one. */
export interface AttackerRow {
  readonly who: "prosecutor" | "journalist";
  readonly above: number;
  readonly share: number;
  readonly largest: number;
  readonly average: number;
}

/** All tables of a few keys. */
export interface TabulationFigures {
  readonly records: number;
  readonly in_sparse: number;
  readonly dimensions: readonly number[];
  readonly rows: readonly DimensionRow[];
  readonly tables: readonly SparseTableRow[];
  readonly all_tables: number;
  readonly keys: readonly KeyRow[];
  readonly attackers: readonly AttackerRow[];
  readonly perturbed: string;
}

/** One measure: its worst class, and the records in classes that fall short. */
export interface DiversityRow {
  readonly measure: "distinct" | "entropy" | "recursive" | "distance";
  readonly worst: number;
  readonly records: number;
}

/** A sensitive variable. */
export interface SensitiveRow {
  readonly name: string;
  readonly label: string;
  readonly ordered: boolean;
  readonly measures: readonly DiversityRow[];
  readonly values: readonly number[];
}

/** l-diversity and t-closeness of sensitive variables. */
export interface DiversityFigures {
  readonly records: number;
  readonly classes: number;
  readonly l: number;
  readonly c: number;
  readonly t: number;
  readonly variables: readonly SensitiveRow[];
  readonly perturbed: string;
}

/** What a model says: population uniques, correct matches, and what to know of it. */
export interface ModelRow {
  readonly model: string;
  readonly tau1: number | null;
  readonly tau2: number | null;
  readonly remark: string;
}

/** Risk of the file by a model that somebody chose, and by others. */
export interface FileModels {
  readonly sample_uniques: number;
  readonly share_unique: number | null;
  readonly level: "very low" | "low" | "moderate" | "high" | null;
  readonly interval: Band | null;
  readonly coverage: string;
  readonly interactions: readonly string[];
  readonly correct_match: number;
  readonly fraction: number;
  readonly models: readonly ModelRow[];
  readonly notices: readonly string[];
  readonly perturbed: string;
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

/** A recode that a key may get. */
export interface LadderRung {
  readonly words: string;
  readonly source: unknown;
  readonly categories: number;
  readonly loss: number;
}

/** The recodes that a key may get, from the finest to the broadest. */
export interface KeyLadder {
  readonly key: string;
  readonly label: string;
  readonly categories: number;
  readonly numeric: boolean;
  readonly counted: boolean;
  readonly rungs: readonly LadderRung[];
}

/** The ladder of every key, in the order of the scenarios. */
export interface LadderList {
  readonly ladders: readonly KeyLadder[];
}

/** A plan that can be opened, compared and taken. */
export interface PlanPoint {
  readonly words: string;
  readonly loss: number;
  readonly loss_by_uses: number | null;
  readonly blanks: number;
  readonly touched: number;
  readonly recodes: Readonly<Record<string, string>>;
  readonly gap: number;
}

/** A plan that stands for a way to choose. */
export interface NamedPlan {
  readonly name: "detail" | "balanced" | "blanks" | "households";
  readonly point: number;
  readonly sentence: string;
}

/** What a search has found. */
export interface ProposalFigures {
  readonly proposal: number;
  readonly asked: ProposeRequest;
  readonly stale: boolean;
  readonly records: number;
  readonly cap: number | null;
  readonly share: number;
  readonly gap: number;
  readonly bound: number | null;
  readonly words: string;
  readonly points: readonly PlanPoint[];
  readonly best: number | null;
  readonly nearest: number | null;
  readonly named: readonly NamedPlan[];
  readonly failing: readonly string[];
  readonly stuck: number;
  readonly taken: number | null;
  readonly notes: readonly string[];
}

/** A proposal, if there is one. */
export interface LastProposal {
  readonly found: ProposalFigures | null;
}

/** What a plan takes of a key: share lost, values blanked, and how it is recoded, if it is. */
export interface KeyLoss {
  readonly key: string;
  readonly loss: number;
  readonly blanks: number;
  readonly recode: string;
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

/** One plan, opened. */
export interface PlanDetail {
  readonly steps: readonly string[];
  readonly losses: readonly KeyLoss[];
  readonly expected: number;
  readonly verdicts: readonly Verdict[];
  readonly replaced: readonly string[];
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

/** What a variable tells of the original before and after some steps, in bits a record. */
export interface InformationLoss {
  readonly variable: string;
  readonly bits: number;
  readonly bits_before: number;
  readonly bits_after: number;
  readonly lost: number;
  readonly categories_before: number;
  readonly categories_after: number;
  readonly share_lost: number;
}

/** A recode that may be worth its loss: bits, and a share of what its variable told. */
export interface SuggestedStep {
  readonly step: Step;
  readonly words: string;
  readonly before: Figures;
  readonly after: Figures;
  readonly information: readonly InformationLoss[];
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

/** One field of a form. */
export interface FormEntry {
  readonly name: string;
  readonly control: "variable" | "variables" | "sets" | "number" | "whole" | "text" | "choice" | "switch" | "matrix" | "groups" | "seed" | "file" | null;
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
  readonly fields: readonly FormEntry[];
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

/** How correlations between numeric variables changed. */
export interface CorrelationChange {
  readonly weighted: boolean;
  readonly pairs: number;
  readonly largest: number;
  readonly where: readonly [string, string];
  readonly mean: number;
  readonly eigenvalues: number;
  readonly names: readonly string[];
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

/** Records by their value before (rows) and after (columns), in the same bins. */
export interface JointCounts {
  readonly axis: Axis;
  readonly counts: readonly (readonly number[])[];
}

/** The released values alone, in bins chosen from them: all that the public may see. */
export interface ReleasedShares {
  readonly axis: Axis;
  readonly shares: readonly number[];
}

/** A numeric variable before and after. */
export interface NumberPicture {
  readonly name: string;
  readonly weighted: boolean;
  readonly axis: Axis;
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly joint: JointCounts;
  readonly released: ReleasedShares | null;
}

/** What a step would do to risk and information. */
export interface PreviewFigures {
  readonly step: StepTaken;
  readonly before: Figures;
  readonly after: Figures;
  readonly information: readonly InformationLoss[];
  readonly lost: number;
  readonly fall: number;
  readonly variable: VariableProfile | null;
  readonly numbers: readonly NumberEffect[];
  readonly correlations: CorrelationChange | null;
  readonly pictures: readonly NumberPicture[];
  readonly notices: readonly Remark[];
}

/** What one way to protect families does, before any blank. */
export interface FamilyRow {
  readonly steps: readonly Step[];
  readonly words: string;
  readonly refusal: string;
  readonly unit: string;
  readonly expected: number | null;
  readonly share: number | null;
  readonly above: number | null;
  readonly rejoined: number | null;
  readonly rejoined_by: readonly string[];
  readonly blanks: number;
  readonly met: boolean | null;
}

/** What protects families, the file as it is first. */
export interface FamilyList {
  readonly measures: readonly FamilyRow[];
}

/** What a suppression would cost under one guarantee. */
export interface PriceRow {
  readonly guarantee: "own" | "strict" | "shared" | "view";
  readonly refusal: string;
  readonly blanks: number;
  readonly records: number;
  readonly leaning: number;
  readonly stuck: number;
  readonly lost: number;
  readonly guessed: number | null;
}

/** Every guarantee, the usual one first. */
export interface GuaranteePrices {
  readonly prices: readonly PriceRow[];
}

/** Variables that tell a changed key, and the steps that recode each of them alike. */
export interface TellingRow {
  readonly key: string;
  readonly words: string;
  readonly share: number;
  readonly determines: boolean;
  readonly variables: readonly string[];
  readonly alike: readonly (Step | null)[];
}

/** Every variable, the most delicate first; `open` names those in the way of a release. */
export interface InventoryList {
  readonly records: number;
  readonly variables: readonly VariableProfile[];
  readonly open: readonly string[];
  readonly telling: readonly TellingRow[];
}

/** Risk under one scenario, before and after. */
export interface RiskPair {
  readonly scenario: string;
  readonly before: RiskFigures;
  readonly after: RiskFigures;
}

/** What one variable lost. */
export interface VariableLoss {
  readonly name: string;
  readonly key: boolean;
  readonly known: number;
  readonly blanks: number;
  readonly replaced: number;
  readonly categories: number;
  readonly categories_after: number;
  readonly agreeing: number;
  readonly entropy: number;
  readonly lost: number;
  readonly dropped: boolean;
  readonly blank_share: number;
  readonly lost_share: number;
}

/** What the records of one group lost. */
export interface GroupLoss {
  readonly by: string;
  readonly category: string;
  readonly records: number;
  readonly lost: number;
  readonly values: number;
  readonly blanks: number;
  readonly blank_share: number;
}

/** How hard blanks of a variable fell on a group of at least 30 records, with its label. */
export interface GroupRow {
  readonly name: string;
  readonly by: string;
  readonly category: string;
  readonly known: number;
  readonly blanks: number;
  readonly label: string;
  readonly share: number;
}

/** How a table changed: by weight if there is one, and each record counted once. */
export interface TableChange {
  readonly lost: number;
  readonly largest: number;
  readonly where: readonly string[];
  readonly mean: number;
  readonly hellinger: number;
  readonly names: readonly string[];
  readonly cells: number;
  readonly records: number;
  readonly recoded: readonly string[];
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

/** What an analyst of numeric variables finds. */
export interface UtilityFigures {
  readonly numbers: readonly NumberEffect[];
  readonly correlations: CorrelationChange | null;
  readonly pictures: readonly NumberPicture[];
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
  readonly losses: readonly VariableLoss[];
  readonly lost: number;
  readonly hardest: readonly GroupLoss[];
  readonly groups: readonly GroupRow[];
  readonly tables: readonly TableChange[];
  readonly tables_left_out: number;
  readonly means: readonly MeanRow[];
  readonly dropped: readonly string[];
  readonly notes: readonly string[];
  readonly pmse: number | null;
  readonly pmse_ratio: number | null;
  readonly utility: UtilityFigures | null;
}

/** The state after `to` steps and the present one, side by side. */
export interface ComparisonFigures {
  readonly to: number;
  readonly risks: readonly RiskPair[];
  readonly cost: Cost;
}

/** What one use lost. */
export interface UseLoss {
  readonly kind: "variable" | "table" | "model";
  readonly name: string;
  readonly names: readonly string[];
  readonly weight: number;
  readonly loss: number;
  readonly note: string;
}

/** The loss by the uses that matter, and the plain one beside it. */
export interface LossByUses {
  readonly plain: number;
  readonly parts: readonly UseLoss[];
  readonly loss: number;
}

/** A table counted in one way, weighted or each record once: shares before and after. */
export interface TableSide {
  readonly lost: number;
  readonly largest: number;
  readonly where: readonly string[];
  readonly mean: number;
  readonly hellinger: number;
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

/** A table that somebody named, before and after, by the categories that are released. */
export interface TableDetail {
  readonly names: readonly string[];
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly all_rows: number;
  readonly all_columns: number;
  readonly records: readonly (readonly number[])[];
  readonly plain: TableSide;
  readonly weighted: TableSide | null;
  readonly recoded: readonly VariableLoss[];
}

/** A coefficient before and after. */
export interface Coefficient {
  readonly term: string;
  readonly estimate: readonly [number, number];
  readonly interval: readonly [readonly [number, number], readonly [number, number]];
  readonly overlap: number;
  readonly deviation: number | null;
}

/** A regression counted in one way, weighted or each record once. */
export interface ModelSide {
  readonly records: readonly [number, number];
  readonly overlap: number;
  readonly constant: Coefficient | null;
  readonly coefficients: readonly Coefficient[];
  readonly lost: readonly string[];
  readonly problem: string;
}

/** A regression that somebody named, before and after. */
export interface ModelDetail {
  readonly formula: string;
  readonly kind: "linear" | "logistic";
  readonly outcome: string;
  readonly plain: ModelSide;
  readonly weighted: ModelSide | null;
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

/** The plan as a plan file, as a Python script and as commands of the shell. */
export interface PlanText {
  readonly plan: string;
  readonly script: string;
  readonly commands: string;
}

/** The study that a plan led to, and what of the plan was not taken over. */
export interface OpenedPlan {
  readonly study: StudySummary;
  readonly remarks: readonly string[];
}

/** Where a plan was saved, for people, and the names of its files. */
export interface SavedPlan {
  readonly folder: string;
  readonly files: readonly string[];
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

export type Step = Recode | TopCode | BottomCode | Drop | Microaggregate | Pram | RankSwap | Renumber | Round | Noise | Sample | Members | Shuffle | Suppress | Swap;

export type StepInput = Given<Recode, "do" | "variable"> | Given<TopCode, "do" | "variable"> | Given<BottomCode, "do" | "variable"> | Given<Drop, "do" | "variables"> | Given<Microaggregate, "do" | "variables"> | Given<Pram, "do" | "variable" | "seed"> | Given<RankSwap, "do" | "variables" | "seed"> | Given<Renumber, "do" | "variable" | "seed"> | Given<Round, "do" | "variable" | "base"> | Given<Noise, "do" | "variables" | "seed"> | Given<Sample, "do" | "fraction" | "seed"> | Given<Members, "do" | "keep" | "seed"> | Given<Shuffle, "do" | "variables" | "given" | "seed"> | Given<Suppress, "do"> | Given<Swap, "do" | "seed">;

export type BrowseQueryInput = Given<BrowseQuery, never>;

export type OpenRequestInput = Given<OpenRequest, "folder" | "path">;

export type JoinRequestInput = Given<JoinRequest, "folder" | "path" | "on">;

export type GuideRequestInput = Given<GuideRequest, never>;

export type NameQueryInput = Given<NameQuery, "name">;

export type MetadataRequestInput = Given<MetadataRequest, never>;

export type DeclarationRequestInput = Given<DeclarationRequest, "name">;

export type CodebookRequestInput = Given<CodebookRequest, "folder" | "path">;

export type CodebookQueryInput = Given<CodebookQuery, "format">;

export type ExploreQueryInput = Given<ExploreQuery, "name">;

export type CrossQueryInput = Given<CrossQuery, "rows" | "columns">;

export type ScenarioInput = Given<Scenario, never>;

export type ScenarioListInput = Given<ScenarioList, "scenarios">;

export type ScenarioLimitsInput = Given<ScenarioLimits, "scenario">;

export type RiskQueryInput = Given<RiskQuery, never>;

export type LimitTargetInput = Given<LimitTarget, never>;

export type HouseholdLimitTargetInput = Given<HouseholdLimitTarget, never>;

export type ScenarioQueryInput = Given<ScenarioQuery, never>;

export type CellsQueryInput = Given<CellsQuery, never>;

export type NumericQueryInput = Given<NumericQuery, never>;

export type CombinationsQueryInput = Given<CombinationsQuery, never>;

export type UniquesQueryInput = Given<UniquesQuery, never>;

export type AreasQueryInput = Given<AreasQuery, "areas">;

export type TabulationQueryInput = Given<TabulationQuery, never>;

export type DiversityQueryInput = Given<DiversityQuery, "sensitive">;

export type FileRiskQueryInput = Given<FileRiskQuery, never>;

export type PopulationQueryInput = Given<PopulationQuery, "path">;

export type LadderRequestInput = Given<LadderRequest, never>;

export type ProposeRequestInput = Given<ProposeRequest, "rules">;

export type ProposalQueryInput = Given<ProposalQuery, never>;

export type PointQueryInput = Given<PointQuery, "proposal" | "point">;

export type KeepRequestInput = Given<KeepRequest, "proposal" | "point" | "name">;

export type SuggestionQueryInput = Given<SuggestionQuery, never>;

export type FamilyQueryInput = Given<FamilyQuery, never>;

export type RollbackRequestInput = Given<RollbackRequest, "to">;

export type KeepInput = Given<Keep, "variables" | "why">;

export type OrderRequestInput = Given<OrderRequest, never>;

export type ComparisonQueryInput = Given<ComparisonQuery, never>;

export type UsesInput = Given<Uses, never>;

export type TableQueryInput = Given<TableQuery, "of">;

export type ModelQueryInput = Given<ModelQuery, "formula">;

export type PlanComparisonQueryInput = Given<PlanComparisonQuery, "one">;

export type ProfileRequestInput = Given<ProfileRequest, "profile">;

export type PolicyInput = Given<Policy, never>;

export type ReleaseRequestInput = Given<ReleaseRequest, "file">;

export type ReportCoverInput = Given<ReportCover, never>;

export type ReportRequestInput = Given<ReportRequest, "plan" | "audience">;

export type PlanRequestInput = Given<PlanRequest, "folder" | "path">;

export type SavePlanRequestInput = Given<SavePlanRequest, never>;

export type GrcRequestInput = Given<GrcRequest, "variable" | "name" | "text">;

export type CancelRequestInput = Given<CancelRequest, "job">;

export interface Api {
  "GET /api/study": { body: null; query: null; answer: StudySummary; job: false };
  "GET /api/files": { body: null; query: BrowseQueryInput; answer: Listing; job: false };
  "POST /api/open": { body: OpenRequestInput; query: null; answer: StudySummary; job: true };
  "POST /api/join": { body: JoinRequestInput; query: null; answer: StudySummary; job: true };
  "POST /api/demo": { body: null; query: null; answer: StudySummary; job: true };
  "POST /api/resume": { body: null; query: null; answer: StudySummary; job: true };
  "PUT /api/guide": { body: GuideRequestInput; query: null; answer: GuideFigures; job: true };
  "POST /api/guide": { body: null; query: null; answer: GuideFigures; job: true };
  "GET /api/variables": { body: null; query: null; answer: Variables; job: true };
  "GET /api/variable": { body: null; query: NameQueryInput; answer: VariableProfile; job: true };
  "GET /api/metadata": { body: null; query: null; answer: FileMetadata; job: true };
  "PUT /api/metadata": { body: MetadataRequestInput; query: null; answer: StudySummary; job: true };
  "POST /api/metadata/preview": { body: DeclarationRequestInput; query: null; answer: VariableReading; job: true };
  "POST /api/codebook": { body: CodebookRequestInput; query: null; answer: Codebook; job: true };
  "GET /api/codebook": { body: null; query: CodebookQueryInput; answer: CodebookFiles; job: true };
  "GET /api/explore": { body: null; query: ExploreQueryInput; answer: ExploredVariable; job: true };
  "GET /api/explore/table": { body: null; query: CrossQueryInput; answer: CrossCounts; job: true };
  "PUT /api/scenario": { body: ScenarioInput; query: null; answer: StudySummary; job: true };
  "DELETE /api/scenario": { body: null; query: NameQueryInput; answer: StudySummary; job: true };
  "PUT /api/scenarios": { body: ScenarioListInput; query: null; answer: StudySummary; job: true };
  "GET /api/scenarios/proposed": { body: null; query: null; answer: ProposedScenarios; job: false };
  "PUT /api/scenario/limits": { body: ScenarioLimitsInput; query: null; answer: StudySummary; job: true };
  "GET /api/risk": { body: null; query: RiskQueryInput; answer: RiskFigures; job: true };
  "GET /api/intruders": { body: null; query: null; answer: IntruderList; job: true };
  "POST /api/limit": { body: LimitTargetInput; query: null; answer: LimitFigures; job: true };
  "POST /api/household-limit": { body: HouseholdLimitTargetInput; query: null; answer: HouseholdLimitFigures; job: true };
  "GET /api/contributions": { body: null; query: ScenarioQueryInput; answer: Contributions; job: true };
  "GET /api/cells": { body: null; query: CellsQueryInput; answer: RiskyCells; job: true };
  "GET /api/file-risk": { body: null; query: ScenarioQueryInput; answer: FileRiskFigures; job: true };
  "GET /api/numeric-risk": { body: null; query: NumericQueryInput; answer: NumericFigures; job: true };
  "GET /api/combinations": { body: null; query: CombinationsQueryInput; answer: CombinationFigures; job: true };
  "GET /api/uniques": { body: null; query: UniquesQueryInput; answer: UniqueFigures; job: true };
  "GET /api/areas": { body: null; query: AreasQueryInput; answer: AreaFigures; job: true };
  "GET /api/tabulation": { body: null; query: TabulationQueryInput; answer: TabulationFigures; job: true };
  "GET /api/diversity": { body: null; query: DiversityQueryInput; answer: DiversityFigures; job: true };
  "GET /api/file-models": { body: null; query: FileRiskQueryInput; answer: FileModels; job: true };
  "GET /api/population": { body: null; query: PopulationQueryInput; answer: PopulationFigures; job: true };
  "POST /api/ladders": { body: LadderRequestInput; query: null; answer: LadderList; job: true };
  "GET /api/ladders/variable": { body: null; query: NameQueryInput; answer: VariableProfile; job: true };
  "POST /api/propose": { body: ProposeRequestInput; query: null; answer: ProposalFigures; job: true };
  "GET /api/proposal": { body: null; query: ProposalQueryInput; answer: LastProposal; job: false };
  "GET /api/proposal/plan": { body: null; query: PointQueryInput; answer: PlanDetail; job: true };
  "POST /api/proposal/take": { body: PointQueryInput; query: null; answer: StudySummary; job: true };
  "POST /api/proposal/keep": { body: KeepRequestInput; query: null; answer: StudySummary; job: true };
  "GET /api/suggestions": { body: null; query: SuggestionQueryInput; answer: SuggestionList; job: true };
  "GET /api/steps": { body: null; query: null; answer: StepKinds; job: false };
  "POST /api/preview": { body: StepInput; query: ScenarioQueryInput; answer: PreviewFigures; job: true };
  "GET /api/families": { body: null; query: FamilyQueryInput; answer: FamilyList; job: true };
  "POST /api/guarantees": { body: Given<Suppress, "do">; query: null; answer: GuaranteePrices; job: true };
  "POST /api/steps": { body: StepInput; query: null; answer: StudySummary; job: true };
  "POST /api/rollback": { body: RollbackRequestInput; query: null; answer: StudySummary; job: true };
  "GET /api/inventory": { body: null; query: null; answer: InventoryList; job: true };
  "PUT /api/keep": { body: KeepInput; query: null; answer: StudySummary; job: true };
  "PUT /api/order": { body: OrderRequestInput; query: null; answer: StudySummary; job: true };
  "POST /api/confirm": { body: null; query: null; answer: StudySummary; job: true };
  "GET /api/compare": { body: null; query: ComparisonQueryInput; answer: ComparisonFigures; job: true };
  "PUT /api/uses": { body: UsesInput; query: null; answer: StudySummary; job: true };
  "GET /api/compare/uses": { body: null; query: ComparisonQueryInput; answer: LossByUses; job: true };
  "GET /api/compare/table": { body: null; query: TableQueryInput; answer: TableDetail; job: true };
  "GET /api/compare/model": { body: null; query: ModelQueryInput; answer: ModelDetail; job: true };
  "POST /api/plans": { body: NameQueryInput; query: null; answer: StudySummary; job: true };
  "DELETE /api/plans": { body: null; query: NameQueryInput; answer: StudySummary; job: true };
  "POST /api/plans/use": { body: NameQueryInput; query: null; answer: StudySummary; job: true };
  "GET /api/plans/compare": { body: null; query: PlanComparisonQueryInput; answer: PlanComparison; job: true };
  "PUT /api/profile": { body: ProfileRequestInput; query: null; answer: StudySummary; job: true };
  "PUT /api/policy": { body: PolicyInput; query: null; answer: StudySummary; job: true };
  "GET /api/verdicts": { body: null; query: null; answer: Verdicts; job: true };
  "POST /api/release": { body: ReleaseRequestInput; query: null; answer: ReleaseResult; job: true };
  "PUT /api/cover": { body: ReportCoverInput; query: null; answer: StudySummary; job: true };
  "GET /api/releases": { body: null; query: BrowseQueryInput; answer: ReleaseList; job: false };
  "POST /api/report": { body: ReportRequestInput; query: null; answer: ReportLink; job: true };
  "GET /api/plan": { body: null; query: null; answer: PlanText; job: true };
  "POST /api/plan/open": { body: PlanRequestInput; query: null; answer: OpenedPlan; job: true };
  "POST /api/plan/save": { body: SavePlanRequestInput; query: null; answer: SavedPlan; job: true };
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
export const ENOUGH = 30;
export const MUCH_HIGHER = 1.25;
export const LANGUAGES = ["en", "de"];
export const PROFILES = [{"name": "public", "who": "anybody", "release_type": "public use file", "record_risk": 0.05, "household_risk": 0.05, "intruders": {"method": 0.05, "rejoin": 0.05}, "drops_household": true}, {"name": "scientific", "who": "researchers under contract", "release_type": "scientific use file", "record_risk": 0.2, "household_risk": 0.2, "intruders": {"method": 0.2, "rejoin": 0.05}, "drops_household": false}, {"name": "secure", "who": "people who work on site", "release_type": "file for use on site", "record_risk": 0.33, "household_risk": null, "intruders": {}, "drops_household": false}];
export const USUAL_PROFILE = "public";
export const INTRUDER_RULES = {"rejoin": "Re-joiner", "method": "Knows the method", "numbers": "Numbers", "inference": "Inference"};
export const GROUPS = {"direct identifier": ["Direct identifiers", "They name people, or number them as other files do."], "tells a key": ["What tells a key", "They give back what was taken from a key."], "known outside": ["Could be known outside", "Neighbours, colleagues or registers may know them, and no scenario has them."], "sensitive": ["Sensitive", "People have a right that they stay with them."], "exact number": ["Exact numbers", "Whoever knows one finds the record by it."], "free text": ["Free text", "Nobody knows what people wrote."], "date": ["Dates", "Registers and neighbours know dates to the day."], "design": ["Design of the survey", "Strata, sampling units and weights follow from places and dates."], "in a scenario": ["Keys, weight and household of the scenarios", "An intruder knows them, or counts by them: their risk is measured."], "answer": ["Answers", "Nothing delicate was found."]};

export const FORMS = {
  declaration: {
    type: {"name": "type", "control": null, "label": "Type", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    label: {"name": "label", "control": "text", "label": "Sentence that explains it", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    missing: {"name": "missing", "control": null, "label": "Codes that mean missing", "help": "An empty list says that no code does.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    labels: {"name": "labels", "control": null, "label": "Labels by code", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": {}},
    order: {"name": "order", "control": null, "label": "Codes of an ordered category, from lowest to highest", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": []},
    decimals: {"name": "decimals", "control": "whole", "label": "Digits behind the decimal point", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    unit: {"name": "unit", "control": "text", "label": "Unit of a number", "help": "Such as EUR a month.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": ""},
    decimal: {"name": "decimal", "control": "text", "label": "Decimal mark of numbers that are written as text", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": ""},
    thousands: {"name": "thousands", "control": "text", "label": "Their thousands mark", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": ""},
    dates: {"name": "dates", "control": "text", "label": "How dates are written", "help": "Such as %d.%m.%Y.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": ""},
    role: {"name": "role", "control": null, "label": "What the variable is for", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    level: {"name": "level", "control": "whole", "label": "Identification level of a key, or level of geography", "help": "Of a key 1 is the most identifying (IDLEVEL of mu-ARGUS), of geography the coarsest.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    cost: {"name": "cost", "control": "number", "label": "Cost of a blank in it", "help": "Against 1 for the others (SUPPRESSWEIGHT of mu-ARGUS).", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    linked: {"name": "linked", "control": "variables", "label": "Variables that are blanked where this one is", "help": "RELATED of mu-ARGUS.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": []},
    household_level: {"name": "household_level", "control": "switch", "label": "Members of a household share its value", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    identifying: {"name": "identifying", "control": "switch", "label": "Whether it identifies people", "help": "no: it is no identifier, whatever its values look like, in this and other files.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
  },
  output: {
    file: {"name": "file", "control": "text", "label": "The safe file", "help": "The format is taken from its extension.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": true, "default": null},
    report: {"name": "report", "control": "text", "label": "Report for the board", "help": ".html, .pdf or .docx.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": ""},
    public_report: {"name": "public_report", "control": "text", "label": "Report for the public", "help": ".html, .pdf or .docx.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": ""},
    codebook: {"name": "codebook", "control": "text", "label": "Codebook for users of the file", "help": ".csv, .xml (DDI) or .rda.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": ""},
    notes: {"name": "notes", "control": "switch", "label": "Keep the comments in the file", "help": "They may name people.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": false},
  },
  policy: {
    record_risk: {"name": "record_risk", "control": null, "label": "Largest risk of a record", "help": "For all scenarios, or by scenario; also the line in the pictures of the report.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    expected: {"name": "expected", "control": "number", "label": "Largest expected number of re-identifications", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    rate: {"name": "rate", "control": "number", "label": "Largest re-identification rate", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    household_risk: {"name": "household_risk", "control": null, "label": "Largest risk of a household", "help": "For all scenarios, or by scenario; each must name a household.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    household_rate: {"name": "household_rate", "control": "number", "label": "Largest share of the records whose household is re-identified", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    expected_households: {"name": "expected_households", "control": "number", "label": "Largest expected number of households with a member re-identified", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    tau1: {"name": "tau1", "control": "number", "label": "Largest expected number of sample uniques that are population uniques", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    tau1_share: {"name": "tau1_share", "control": "number", "label": "Largest share of the sample uniques that are population uniques", "help": "Up to 1 % is very low, up to 3 % low, up to 6 % moderate, above that high.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    tau2: {"name": "tau2", "control": "number", "label": "Largest expected number of correct matches with sample uniques", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    k: {"name": "k", "control": "whole", "label": "Fewest records that share the keys of a record", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    given_away: {"name": "given_away", "control": "number", "label": "Largest share of the suppressed values that are guessed right from the file", "help": "Beyond what blind guesses get right.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    intruders: {"name": "intruders", "control": null, "label": "Largest figures of intruders who have no rule above, by rule or name", "help": "For all scenarios; see docs/methods/intruders.md.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": {}},
    publish_matrix: {"name": "publish_matrix", "control": "switch", "label": "Chances of PRAM in the public report", "help": "Users need them to correct their estimates. No rule: nothing is measured by it.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": false},
    override: {"name": "override", "control": null, "label": "Reasons for releasing although a rule is not met, by rule", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": {}},
  },
  proposal: {
    touched: {"name": "touched", "control": "number", "label": "Share of the records that may lose a value", "help": "1 if any number may.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    spare: {"name": "spare", "control": "variables", "label": "Keys that are neither recoded nor blanked", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": []},
    ladders: {"name": "ladders", "control": null, "label": "Recodes that a key may get, from the finest to the broadest, by key", "help": "Widths of bins, steps, hierarchy files, .grc files of mu-ARGUS. An empty list for a key that is not to be recoded.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": {}},
    guarantee: {"name": "guarantee", "control": "choice", "label": "Guarantee of the blanks", "help": "", "choices": {"own": "every record is safe by its own blanks", "strict": "safe even if records with gaps are ignored", "view": "enough people would be blanked in the same way"}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    seconds: {"name": "seconds", "control": "number", "label": "Seconds that the proposal may take", "help": "The best plan found until then is proposed. inf if it is to be proved best.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": 30.0},
  },
  reading: {
    encoding: {"name": "encoding", "control": "text", "label": "Encoding of a text file", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    separator: {"name": "separator", "control": "text", "label": "Separator of a text file", "help": "One character, or tab.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    comment: {"name": "comment", "control": "text", "label": "Comment mark", "help": "Lines of a text file that begin with this character, such as '#', are left out.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    na: {"name": "na", "control": "variables", "label": "Values that mean missing", "help": "\"auto\" for the usual words (NA, ., k.A. and so on) in variables that hold numbers otherwise.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": []},
    sheet: {"name": "sheet", "control": "text", "label": "Sheet of a workbook, or data frame in an .RData file", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    decimal: {"name": "decimal", "control": null, "label": "Decimal mark of numbers in a text file", "help": "Variables that hold nothing but such numbers are read as numbers.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    thousands: {"name": "thousands", "control": "text", "label": "Thousands mark of numbers in a text file", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
  },
  scenario: {
    keys: {"name": "keys", "control": "variables", "label": "Key variables", "help": "What an intruder may know about a person.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": []},
    weight: {"name": "weight", "control": "variable", "label": "Sampling weight", "help": "Without it the file is treated as the whole population.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    household: {"name": "household", "control": "variable", "label": "Household identifier", "help": "", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    person: {"name": "person", "control": "variable", "label": "Person identifier", "help": "Where a person has several records, as in a panel: risk is of persons.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    wave: {"name": "wave", "control": "variable", "label": "Wave", "help": "Tells the records of a person apart.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "person", "way": "", "required": false, "default": null},
    person_weights: {"name": "person_weights", "control": "choice", "label": "What weights add up to", "help": "That of a person is their sum over the waves, or that sum by wave.", "choices": {"wave": "each wave stands for the population", "file": "all waves together stand for it"}, "numeric": false, "changed": true, "ordered": false, "only_with": "person", "way": "", "required": false, "default": "wave"},
    missing: {"name": "missing", "control": "choice", "label": "Missing keys", "help": "Under the estimator model what others do not show is integrated out; name the keys whose gap is an answer that an intruder knows, such as 'not applicable'. The last two are rules of the estimator cell.", "choices": {"integrate": "is no fact about the population, and filled by its model", "category": "is a category of its own, for all keys or for some", "wildcard": "matches any value", "expected": "counts by the probability that it hides the value in question"}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    alpha: {"name": "alpha", "control": "number", "label": "Weight of uncertain matches", "help": "How much a match that rests on a missing key counts, from 0 to 1.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "missing=wildcard", "way": "", "required": false, "default": 1.0},
    attack: {"name": "attack", "control": "choice", "label": "Records that the intruder tries", "help": "", "choices": {"all": "all of them", "random": "one at random", "ratio": "in proportion to f/F", "weight": "in proportion to the inverse weight"}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": "all"},
    factor: {"name": "factor", "control": "number", "label": "Factor on every risk", "help": "Above 0 and at most 1.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": 1.0},
    error: {"name": "error", "control": null, "label": "Probability that a key is recorded with error", "help": "The risk is multiplied by the probability that the keys which a record shows have none.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": {}},
    clip_weights: {"name": "clip_weights", "control": "switch", "label": "Raise weights below 1 to 1", "help": "A file with such weights is refused otherwise.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": false},
    estimator: {"name": "estimator", "control": "choice", "label": "Estimator of the risk of a record", "help": "", "choices": {"cell": "its cell alone, as in mu-ARGUS", "model": "a model of the population, more accurate where keys are sparse"}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": null},
    name: {"name": "name", "control": "text", "label": "Name of the scenario", "help": "Where a study has several.", "choices": {}, "numeric": false, "changed": true, "ordered": false, "only_with": "", "way": "", "required": false, "default": "main"},
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FormEntry>>>>;
