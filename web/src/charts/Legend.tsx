import { texts } from "../texts";

/** What the two kinds of bars mean. */
export function Legend() {
  return (
    <div class="key">
      <span>
        <svg width="16" height="12" aria-hidden="true">
          <rect class="safe" width="16" height="12" rx="2" />
        </svg>
        {texts.picture.legend.safe}
      </span>
      <span>
        <svg width="16" height="12" aria-hidden="true">
          <rect width="16" height="12" rx="2" fill="url(#hatch)" />
        </svg>
        {texts.picture.legend.unsafe}
      </span>
    </div>
  );
}
