import type { ReactNode } from "react";

interface MetricsProps {
  /** Names and values. */
  readonly metrics: readonly (readonly [string, ReactNode])[];
  /** The minimum width of one metric, a CSS length. */
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
