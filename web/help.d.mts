import type { Plugin } from "vite";
import type { HelpNode, HelpPage } from "./src/help";

export const DOCS: string;
export function readPages(folder?: string): Record<string, HelpPage>;
export function nodesOf(body: readonly HelpNode[]): Generator<Exclude<HelpNode, string>>;
export function help(): Plugin;
