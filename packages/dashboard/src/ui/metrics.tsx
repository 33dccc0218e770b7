interface MetricsProps {
  /** What each is called, and what it says. */
  readonly metrics: readonly (readonly [string, string])[];
  /** How narrow one may get, as CSS says it. */
  readonly minWidth?: string;
}

export function Metrics({ metrics, minWidth = "9rem" }: MetricsProps) {
  return (
    <dl className="tiles" style={{ margin: 0, gridTemplateColumns: `repeat(auto-fill, minmax(${minWidth}, 1fr))` }}>
      {metrics.map(([name, value]) => (
        <div className="metric" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
