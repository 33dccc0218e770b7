import type { Style } from "../terminal.ts";

const LEVELS: readonly { readonly from: number; readonly name: string; readonly look: keyof Style }[] = [
  { from: 50, name: "error", look: "red" },
  { from: 40, name: "warn", look: "yellow" },
  { from: 30, name: "info", look: "green" },
  { from: 0, name: "debug", look: "dim" },
];
/** Shown in their own place, or of no use to a reader. */
const HIDDEN = new Set(["level", "time", "msg", "event", "traceId", "err"]);

/** A log line for people: time, level, message and fields. A line that is no JSON object stays as it is. */
export function readableLine(line: string, style: Style): string {
  const fields = fieldsOf(line);
  if (fields === undefined) return line.trimEnd();
  const level = LEVELS.find(({ from }) => Number(fields.level) >= from) ?? { name: "log", look: "dim" as const };
  const time = new Date(Number(fields.time)).toTimeString().slice(0, 8);
  const message = String(fields.msg ?? fields.event ?? "");
  const rest = Object.entries(fields)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== undefined)
    .map(([name, value]) => `${name}=${typeof value === "object" ? JSON.stringify(value) : String(value)}`);
  const { err } = fields;
  const stack = typeof err === "object" && err !== null && "stack" in err ? err.stack : undefined;
  return [
    `${style.dim(time)} ${style[level.look](level.name.padEnd(5))} ${message}`,
    rest.length > 0 ? ` ${style.dim(rest.join(" "))}` : "",
    typeof stack === "string" ? `\n${style.dim(stack)}` : "",
  ].join("");
}

function fieldsOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : undefined;
  } catch {
    return undefined;
  }
}
