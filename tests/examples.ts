export interface Example {
  readonly file: string;
  /** The line of the fence. */
  readonly line: number;
  readonly code: string;
}

/** Added to examples that use a client without creating one. */
const clientHeader = 'declare const client: import("@parlance/client").Parlance;';

/** The ```ts fences of a Markdown file, or of the JSDoc comments of a TypeScript file, as modules. */
export function examplesIn(file: string, text: string): readonly Example[] {
  const lines = text.split("\n");
  const examples: Example[] = [];
  let start = 0;
  let collected: string[] | undefined;
  for (const [index, line] of lines.entries()) {
    const content = file.endsWith(".ts") ? line.replace(/^\s*\* ?/, "") : line;
    if (collected === undefined) {
      if (!/^\s*```ts\s*$/.test(content)) continue;
      collected = [];
      start = index + 1;
    } else if (/^\s*```\s*$/.test(content)) {
      examples.push({ file, line: start, code: asModule(collected.join("\n")) });
      collected = undefined;
    } else collected.push(content);
  }
  if (collected !== undefined) throw new Error(`${file}:${start}: the example has no end`);
  return examples;
}

function asModule(code: string): string {
  const needsClient = /\bclient\b/.test(code.replaceAll("@parlance/client", "")) && !/\bconst client\b/.test(code);
  return `${needsClient ? `${clientHeader}\n` : ""}${code}\nexport {};\n`;
}
