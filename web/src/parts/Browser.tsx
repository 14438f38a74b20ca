import { useEffect, useState } from "preact/hooks";
import type { Entry, Listing } from "../api";
import { ask, Refusal } from "../client";
import { size } from "../numbers";
import { study } from "../state";
import { texts } from "../texts";
import { Notice } from "./Notice";

export interface Place {
  readonly folder: number;
  readonly path: string;
}

interface Props {
  place: Place;
  onPlace(place: Place): void;
  /** What to do with a file; files are not shown without. */
  onFile?: (place: Place) => void;
  /** Which files are shown: data files unless it says otherwise. */
  files?: "data" | "plan" | "codebook";
}

/** Folders below those that were named at start, and the files in them. */
export function Browser({ place, onPlace, onFile, files = "data" }: Props) {
  const [listed, setListed] = useState<{ readonly at: Place; readonly listing: Listing } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const folders = study.value?.folders ?? [];
  useEffect(() => {
    const stop = new AbortController();
    ask("GET /api/files", { query: { ...place, files }, signal: stop.signal }).then(
      (found) => {
        setListed({ at: place, listing: found });
        setRefusal(null);
      },
      (error: unknown) => error instanceof Refusal && !error.stopped && setRefusal(error),
    );
    return () => stop.abort();
  }, [place.folder, place.path, files]);
  if (!folders.length) return <Notice tone="info">{texts.open.noFolder}</Notice>;
  const { listing, at = place } = listed ?? {};
  // Below what is listed, which may be the folder before as long as this one is looked into.
  const below = (name: string) => ({ ...at, path: at.path ? `${at.path}/${name}` : name });
  const choose = (entry: Entry) =>
    entry.kind === "folder" ? onPlace(below(entry.name)) : onFile?.(below(entry.name));
  const shown = listing?.entries.filter((entry) => onFile || entry.kind === "folder") ?? [];
  return (
    <div class="browser">
      {folders.length > 1 && (
        <select
          aria-label={texts.open.folders}
          value={place.folder}
          onChange={(event) => onPlace({ folder: Number(event.currentTarget.value), path: "" })}
        >
          {folders.map((folder, i) => (
            <option key={i} value={i}>
              {folder}
            </option>
          ))}
        </select>
      )}
      <p class="where">
        <code>{[folders[place.folder], place.path].filter(Boolean).join("/")}</code>
      </p>
      {refusal && <Notice tone="bad" title={refusal.problem.error} children={refusal.problem.remedy} />}
      <ul aria-label={texts.open.entries}>
        {place.path && (
          <li>
            <button
              type="button"
              onClick={() => onPlace({ ...place, path: place.path.split("/").slice(0, -1).join("/") })}
            >
              <Icon kind="up" /> {texts.open.up}
            </button>
          </li>
        )}
        {shown.map((entry) => (
          <li key={entry.name}>
            <button type="button" onClick={() => choose(entry)}>
              <Icon kind={entry.kind} />
              <span class="name">{entry.name}</span>
              <span class="hint">{entry.kind === "folder" ? texts.open.folder : size(entry.size)}</span>
            </button>
          </li>
        ))}
      </ul>
      {listing && !shown.length && <p class="hint">{files === "plan" ? texts.plans.empty : texts.open.empty}</p>}
    </div>
  );
}

const icons = {
  folder: "M2 4h4l2 2h6v7H2z",
  file: "M4 2h6l3 3v9H4z",
  up: "M8 13V4M4 8l4-4 4 4",
};

function Icon({ kind }: { kind: keyof typeof icons }) {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={icons[kind]} />
    </svg>
  );
}
