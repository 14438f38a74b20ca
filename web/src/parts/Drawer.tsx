import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useAnswer } from "../answer";
import { closeHelp, CONTENTS, goBack, openHelp, pageOfWord, searchPages, topicOfStep, trail, type HelpPage, type Topic } from "../help";
import { texts } from "../texts";
import { anchorOf, HelpText } from "./HelpText";

const words = texts.help;

interface Library {
  readonly pages: Readonly<Record<string, HelpPage>>;
  readonly pictures: Readonly<Record<string, string>>;
}

/** Help beside the work: a word, the page that says more, and all there is to read. */
export function Drawer() {
  const topic = trail.value.at(-1);
  return topic === undefined ? null : <Opened topic={topic} />;
}

function Opened({ topic }: { topic: Topic }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const library = useLibrary();
  const name = topic.startsWith("word:") ? topic.slice("word:".length) : null;
  const [page, part] = (name === null ? topic : (pageOfWord(name) ?? topicOfStep())).split("#");
  const found = library?.pages[page ?? ""];
  const about = useRef<Topic | null>(null);
  useLayoutEffect(() => {
    // Once the pages are there, a reader who has gone on meanwhile is left alone.
    if (about.current === topic && document.activeElement !== heading.current) return;
    about.current = topic;
    const sought = part && name === null ? document.getElementById(anchorOf(part)) : null;
    body.current?.scrollTo(0, 0);
    sought?.scrollIntoView({ block: "start" });
    (sought ?? heading.current)?.focus({ preventScroll: true });
  }, [topic, library]);
  return (
    <aside class="drawer" aria-label={words.title}>
      <header>
        <h2 ref={heading} tabIndex={-1}>
          {words.title}
        </h2>
        <span class="buttons">
          {trail.value.length > 1 && (
            <button type="button" class="button quiet small" onClick={goBack}>
              {words.back}
            </button>
          )}
          {topic !== CONTENTS && (
            <button type="button" class="button quiet small" onClick={() => openHelp(CONTENTS)}>
              {words.contents}
            </button>
          )}
          <button type="button" class="button small" onClick={closeHelp}>
            {texts.close}
          </button>
        </span>
      </header>
      <div class="drawer-body" ref={body} tabIndex={0} role="region" aria-label={words.title}>
        {name !== null && <Entry name={name} />}
        {topic === CONTENTS ? (
          <Contents library={library} />
        ) : found && library ? (
          <HelpText key={page} body={found.body} pictures={library.pictures} />
        ) : (
          <p class="hint">{library ? words.gone : texts.loading}</p>
        )}
      </div>
    </aside>
  );
}

/** The pages come once they are asked for. */
function useLibrary(): Library | null {
  const [library, setLibrary] = useState<Library | null>(null);
  useEffect(() => {
    void import("virtual:help").then(setLibrary);
  }, []);
  return library;
}

/** Pages that a search shows. */
const MOST = 12;

type Meaning = readonly [string, string];

/** All words by name; those of steps are told by the steps. */
function useWords(): Readonly<Record<string, Meaning>> {
  const steps = useAnswer("GET /api/steps", null).value;
  const kinds = (steps?.kinds ?? []).map(({ do: name, term, meaning }) => [name, [capital(term), meaning]] as const);
  return { ...texts.glossary.words, ...Object.fromEntries(kinds) };
}

function Entry({ name }: { name: string }) {
  const found = useWords()[name];
  return (
    found && (
      <dl class="glossary sought">
        <dt>{found[0]}</dt>
        <dd>{found[1]}</dd>
      </dl>
    )
  );
}

function Contents({ library }: { library: Library | null }) {
  const [sought, setSought] = useState("");
  const fits = (text: string) => text.toLowerCase().includes(sought.trim().toLowerCase());
  const all = library?.pages ?? {};
  const pages = searchPages(all, sought).map((name) => [name, all[name]!] as const);
  const entries = Object.entries(useWords()).filter(([, [title, meaning]]) => fits(`${title} ${meaning}`));
  return (
    <>
      <input
        type="search"
        class="find"
        aria-label={words.find}
        placeholder={words.find}
        value={sought}
        onInput={(event) => setSought(event.currentTarget.value)}
      />
      {sought.trim() ? (
        <PageList title={words.answers} pages={pages.slice(0, MOST)} />
      ) : (
        Object.entries(words.layers).map(([layer, title]) => (
          <PageList key={layer} title={title} pages={pages.filter(([name]) => name.startsWith(`${layer}/`))} />
        ))
      )}
      {entries.length > 0 && <h3>{words.words}</h3>}
      <dl class="glossary">
        {entries
          .sort(([, [a]], [, [b]]) => a.localeCompare(b))
          .map(([name, [title, meaning]]) => (
            <div key={name}>
              <dt>
                <button type="button" class="link" onClick={() => openHelp(`word:${name}`)}>
                  {title}
                </button>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
      </dl>
      {!pages.length && !entries.length && <p class="hint">{words.none}</p>}
    </>
  );
}

function PageList({ title, pages }: { title: string; pages: readonly (readonly [string, HelpPage])[] }) {
  if (!pages.length) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="help-pages">
        {pages.map(([name, page]) => (
          <li key={name}>
            <button type="button" class="link" onClick={() => openHelp(name)}>
              {page.title}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
