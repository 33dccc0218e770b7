/** The closing lines of node's test runner. */
const fields = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"] as const;

export type Counts = Readonly<Record<(typeof fields)[number], number>>;

export function countsOf(tap: string): Counts {
  return each((field) => {
    const lines = [...tap.matchAll(new RegExp(`^# ${field} (\\d+)$`, "gm"))];
    return Number(lines.at(-1)?.[1] ?? 0);
  });
}

export function sumOf(all: readonly Counts[]): Counts {
  return each((field) => all.reduce((sum, counts) => sum + counts[field], 0));
}

export function closingLines(counts: Counts, milliseconds: number): string {
  return [...fields.map((field) => `# ${field} ${counts[field]}`), `# duration_ms ${milliseconds.toFixed(0)}`].join(
    "\n",
  );
}

function each(value: (field: (typeof fields)[number]) => number): Counts {
  return {
    tests: value("tests"),
    suites: value("suites"),
    pass: value("pass"),
    fail: value("fail"),
    cancelled: value("cancelled"),
    skipped: value("skipped"),
    todo: value("todo"),
  };
}
