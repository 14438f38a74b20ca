/** Every English text of the page: a module for each step of the rail, and what they share. */

import { compare } from "./compare";
import { general } from "./general";
import { glossary } from "./glossary";
import { inventory } from "./inventory";
import { numbers } from "./numbers";
import { open } from "./open";
import { protect } from "./protect";
import { release } from "./release";
import { risk } from "./risk";
import { scenario } from "./scenario";

export const texts = { ...general, open, scenario, risk, protect, inventory, compare, release, glossary, numbers } as const;

export type Word = keyof typeof glossary.words;
