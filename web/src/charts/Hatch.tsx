/** The hatching of what is unsafe, so that it is not told by colour alone; once for all pictures. */
export function Hatch() {
  return (
    <svg width="0" height="0" class="hidden" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="hatch-ground" width="6" height="6" />
          <line class="hatch-line" y2="6" />
        </pattern>
      </defs>
    </svg>
  );
}
