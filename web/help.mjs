/**
 * The pages of the docs, read when the page is built: Markdown becomes trees that the drawer draws.
 *
 * The page's policy forbids to take in HTML, and no network is needed: trees and pictures are
 * files of the page like any other.
 */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { lexer } from "marked";

export const DOCS = fileURLToPath(new URL("../docs", import.meta.url));
const NAME = "virtual:help";
const APART = ["decisions", "dev"]; // for those who change the tool
const OF_THE_PAGE = /^pictures\/app-/; // which the reader has before the eyes
const INLINE = { strong: "strong", em: "em", del: "del" };

/** The pages by name, such as `methods/limit`: title and tree, links told apart. */
export function readPages(folder = DOCS) {
  const names = readdirSync(folder, { recursive: true })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md") && !APART.includes(dirname(name)))
    .map((name) => name.slice(0, -".md".length))
    .sort();
  return Object.fromEntries(names.map((name) => [name, readPage(folder, name, new Set(names))]));
}

function readPage(folder, name, names) {
  const tokens = lexer(readFileSync(join(folder, `${name}.md`), "utf-8"));
  const place = { folder, at: dirname(name), page: name, names, taken: new Map() };
  const title = tokens.find((each) => each.type === "heading")?.text ?? name;
  return { title: plain(title), body: tokens.flatMap((each) => block(each, place)) };
}

/** A node is a text, or a list: tag, attributes, children. */
function block(token, place) {
  switch (token.type) {
    case "heading":
      return [[`h${token.depth}`, { id: anchor(token.text, place.taken) }, ...inline(token.tokens, place)]];
    case "paragraph": {
      const children = inline(token.tokens, place);
      return children.length ? [["p", {}, ...children]] : [];
    }
    case "text":
      return token.tokens ? inline(token.tokens, place) : [token.text];
    case "code":
      return [["pre", {}, token.text]];
    case "list":
      return [[token.ordered ? "ol" : "ul", {}, ...token.items.map((item) => ["li", {}, ...blocks(item.tokens, place)])]];
    case "table":
      return [tableOf(token, place)];
    case "blockquote":
      return [["blockquote", {}, ...blocks(token.tokens, place)]];
    case "html":
      if (!/^<!--[^]*-->\s*$/.test(token.text)) throw new Error(`docs/${place.page}.md has markup, which the drawer cannot draw.`);
      return []; // a comment marks what a program writes
    case "space":
    case "hr":
    case "def":
      return [];
    default:
      throw new Error(`docs/${place.page}.md has a ${token.type}, which the drawer cannot draw.`);
  }
}

function blocks(tokens, place) {
  return tokens.flatMap((each) => block(each, place));
}

function tableOf(token, place) {
  const row = (cells, tag) => ["tr", {}, ...cells.map((cell) => [tag, {}, ...inline(cell.tokens, place)])];
  const rows = token.rows.map((cells) => row(cells, "td"));
  return ["table", {}, ["thead", {}, row(token.header, "th")], ["tbody", {}, ...rows]];
}

function inline(tokens, place) {
  return tokens.flatMap((token) => {
    if (token.type in INLINE) return [[INLINE[token.type], {}, ...inline(token.tokens, place)]];
    switch (token.type) {
      case "text":
        return token.tokens ? inline(token.tokens, place) : [entities(token.text)];
      case "escape":
        return [token.text];
      case "codespan":
        return [["code", {}, token.text]];
      case "br":
        return [["br", {}]];
      case "image":
        return pictured(token, place);
      case "link":
        return linked(token, place);
      default:
        throw new Error(`docs/${place.page}.md has ${token.type} in a line, which the drawer cannot draw.`);
    }
  });
}

function pictured(token, place) {
  const picture = relative(place.folder, resolve(place.folder, place.at, token.href)).replaceAll("\\", "/");
  return OF_THE_PAGE.test(picture) ? [] : [["img", { picture, alt: token.text }]];
}

/** Links to other pages stay in the drawer; what is not in the bundle is text only. */
function linked(token, place) {
  const children = inline(token.tokens, place);
  if (/^https?:/.test(token.href)) return [["a", { href: token.href }, ...children]];
  const [file, part = ""] = token.href.split("#");
  const page = file ? normalize(join(place.at, file)).replaceAll("\\", "/").replace(/\.md$/, "") : place.page;
  if (!place.names.has(page)) return children;
  return [["a", { to: part ? `${page}#${part}` : page }, ...children]];
}

/** The name of a heading, as GitHub gives it. */
function anchor(text, taken) {
  const name = plain(text).toLowerCase().replace(/[^\p{L}\p{N}\- _]/gu, "").replace(/ /g, "-");
  const times = taken.get(name) ?? 0;
  taken.set(name, times + 1);
  return times ? `${name}-${times}` : name;
}

function plain(text) {
  return entities(text.replace(/[`*]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
}

const SIGNS = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'", "&nbsp;": "\u00a0" };

function entities(text) {
  return text.replace(/&(?:lt|gt|amp|quot|#39|nbsp);/g, (sign) => SIGNS[sign]);
}

/** Every node of a tree. */
export function* nodesOf(body) {
  for (const node of body) {
    if (typeof node === "string") continue;
    yield node;
    yield* nodesOf(node.slice(2));
  }
}

/** Gives the page `virtual:help`: pages, and the addresses of their pictures. */
export function help() {
  return {
    name: "help",
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const pages = readPages();
      const all = Object.values(pages).flatMap(({ body }) => [...nodesOf(body)]);
      const pictures = [...new Set(all.filter(([tag]) => tag === "img").map(([, { picture }]) => picture))].sort();
      for (const name of Object.keys(pages)) this.addWatchFile(join(DOCS, `${name}.md`));
      const imports = pictures.map((name, i) => `import p${i} from ${JSON.stringify(`${join(DOCS, name)}?url`)};`);
      const addresses = pictures.map((name, i) => `${JSON.stringify(name)}: p${i}`);
      return [
        ...imports,
        `export const pages = JSON.parse(${JSON.stringify(JSON.stringify(pages))});`,
        `export const pictures = {${addresses.join(", ")}};`,
      ].join("\n");
    },
  };
}
