/** Every English text of the page: a module for each step of the rail, and what they share. */

import { closer } from "./closer";
import { compare } from "./compare";
import { explore } from "./explore";
import { general } from "./general";
import { glossary } from "./glossary";
import { guide } from "./guide";
import { help } from "./help";
import { intruders } from "./intruders";
import { inventory } from "./inventory";
import { numbers } from "./numbers";
import { open } from "./open";
import { plans } from "./plans";
import { propose } from "./propose";
import { protect } from "./protect";
import { release } from "./release";
import { risk } from "./risk";
import { scenario } from "./scenario";
import { several } from "./several";
import { uses } from "./uses";
import { variables } from "./variables";

export const texts = {
  ...general,
  open,
  variables,
  scenario,
  risk,
  propose,
  protect,
  inventory,
  compare,
  release,
  explore,
  closer,
  glossary,
  guide,
  help,
  intruders,
  numbers,
  plans,
  several,
  uses,
} as const;

export type Word = keyof typeof glossary.words;
