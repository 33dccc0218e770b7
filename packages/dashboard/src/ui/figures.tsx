interface FiguresProps {
  /** What each is called, and what it says. */
  readonly figures: readonly (readonly [string, string])[];
  /** How narrow one may get, as CSS says it. */
  readonly least?: string;
}

export function Figures({ figures, least = "9rem" }: FiguresProps) {
  return (
    <dl className="tiles" style={{ margin: 0, gridTemplateColumns: `repeat(auto-fill, minmax(${least}, 1fr))` }}>
      {figures.map(([name, value]) => (
        <div className="figure" key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
