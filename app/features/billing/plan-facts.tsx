/** Names and what they are, line by line. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl className="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
