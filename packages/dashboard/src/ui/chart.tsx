import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

interface ChartProps {
  readonly label: string;
  /** Days as YYYY-MM-DD, in order. */
  readonly days: readonly string[];
  readonly values: readonly number[];
  readonly format: (value: number) => string;
}

const HEIGHT = 180;

/** Bars by day. The table below it has the same data for screen readers. */
export function DayChart({ label, days, values, format }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(format);
  latest.current = format;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const times = days.map((day) => Date.parse(`${day}T12:00:00Z`) / 1000);
    const draw = (): uPlot => {
      const style = getComputedStyle(element);
      const colour = (name: string) => style.getPropertyValue(name).trim();
      const axis = { stroke: colour("--soft"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
      return new uPlot(
        {
          width: element.clientWidth,
          height: HEIGHT,
          legend: { show: false },
          cursor: { drag: { x: false, y: false }, points: { show: false } },
          scales: { y: { range: (_plot, _min, max) => [0, Math.max(max * 1.1, 1)] } },
          axes: [
            { ...axis, values: (_plot, splits) => splits.map(shortDay) },
            { ...axis, size: 64, values: (_plot, splits) => splits.map((value) => latest.current(value)) },
          ],
          series: [
            {},
            {
              label,
              fill: colour("--accent"),
              stroke: colour("--accent"),
              ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
              points: { show: false },
            },
          ],
        },
        [times, [...values]],
        element,
      );
    };
    let plot = draw();
    const onResize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    onResize.observe(element);
    // Colours are read while drawing, so a new theme needs a new plot.
    const onTheme = new MutationObserver(() => {
      plot.destroy();
      plot = draw();
    });
    onTheme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      onResize.disconnect();
      onTheme.disconnect();
      plot.destroy();
    };
  }, [days, values, label]);
  const top = values.reduce((max, value) => Math.max(max, value), 0);
  return (
    <figure style={{ margin: 0 }}>
      <figcaption className="small soft">{label}</figcaption>
      <div ref={box} role="img" aria-label={`${label} on ${days.length} days, maximum ${format(top)} per day`} />
    </figure>
  );
}

const dayAndMonth = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

function shortDay(seconds: number): string {
  return dayAndMonth.format(new Date(seconds * 1000));
}
