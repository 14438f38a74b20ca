import { CONTENTS, openHelp } from "../help";
import { plural } from "../numbers";
import { planDialog } from "../plans";
import { study } from "../state";
import { texts } from "../texts";
import { way } from "../way";
import { Segments } from "./Segments";
import { theme } from "./theme";

/** The product, the file in hand, and the two things that are always there. */
export function Head() {
  const file = study.value?.file;
  return (
    <header class="head">
      <span class="brand">
        <Logo />
        {texts.product}
      </span>
      <span class="file">
        {file ? (
          <>
            <strong>{file.name}</strong> · {plural(file.records, "record")}
          </>
        ) : (
          texts.local
        )}
      </span>
      <Segments
        label={texts.guide.way.label}
        options={texts.guide.way.options}
        value={way.value}
        onChange={(value) => (way.value = value)}
      />
      <button type="button" class="button quiet small" onClick={() => (planDialog.value = study.value?.scenarios.length ? "save" : "open")}>
        {texts.plans.open}
      </button>
      <button type="button" class="button quiet small" title={texts.help.key} onClick={() => openHelp(CONTENTS)}>
        {texts.help.title}
      </button>
      <Segments
        label={texts.theme.label}
        options={texts.theme.options}
        value={theme.value}
        onChange={(value) => (theme.value = value)}
      />
    </header>
  );
}

function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="logo-ground" width="32" height="32" rx="7" />
      <path class="logo-safe" d="M6 25h4v-6H6zM12 25h4V9h-4z" />
      <path class="logo-unsafe" d="M22 25h4v-8h-4z" />
      <path class="logo-line" d="M19 5v22" />
    </svg>
  );
}
