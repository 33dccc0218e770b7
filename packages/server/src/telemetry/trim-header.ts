const isSpace = (sign: string | undefined): boolean => sign === " " || sign === "\t";

/** Without the spaces and tabs around it. `trim` removes other white space too; a pattern would take quadratic time. */
export function trimHeader(value: string): string {
  let [start, end] = [0, value.length];
  while (isSpace(value[start])) start += 1;
  while (end > start && isSpace(value[end - 1])) end -= 1;
  return value.slice(start, end);
}
