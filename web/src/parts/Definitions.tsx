/** What names above it mean. */
export function Definitions({ of }: { of: readonly (readonly [string, string])[] }) {
  return (
    <dl class="definitions">
      {of.map(([name, meaning]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
