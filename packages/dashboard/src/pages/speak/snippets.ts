export interface SpokenRequest {
  readonly text: string;
  readonly model: string;
  readonly format: string;
  readonly latency: string;
  readonly reference_id?: string;
  readonly prosody?: { readonly speed?: number; readonly volume?: number };
}

export const SNIPPETS = [
  { value: "curl", label: "curl" },
  { value: "typescript", label: "TypeScript" },
  { value: "python", label: "Python" },
] as const;
export type SnippetLanguage = (typeof SNIPPETS)[number]["value"];

/** The same call as the page makes, to be copied. The key is left for the reader to fill in. */
export function snippet(language: SnippetLanguage, address: string, { model, ...body }: SpokenRequest): string {
  const file = `speech.${body.format}`;
  switch (language) {
    case "curl":
      return [
        `curl ${address}/v1/tts --output ${file} \\`,
        '  -H "Authorization: Bearer $PARLANCE_API_KEY" \\',
        `  -H "model: ${model}" \\`,
        '  -H "Content-Type: application/json" \\',
        `  -d ${inShell(JSON.stringify(body))}`,
      ].join("\n");
    case "typescript":
      return [
        'import { writeFile } from "node:fs/promises";',
        'import { Parlance } from "@parlance/client";',
        "",
        `const parlance = new Parlance({ baseUrl: ${JSON.stringify(address)}, apiKey: process.env.PARLANCE_API_KEY });`,
        `const audio = await parlance.tts.convert(${JSON.stringify({ model, ...body }, null, 2)});`,
        `await writeFile("${file}", audio);`,
      ].join("\n");
    case "python":
      return [
        "import os, requests",
        "",
        "answer = requests.post(",
        `    ${JSON.stringify(`${address}/v1/tts`)},`,
        `    headers={"Authorization": f"Bearer {os.environ['PARLANCE_API_KEY']}", "model": ${JSON.stringify(model)}},`,
        `    json=${inPython(body)},`,
        "    stream=True,",
        ")",
        "answer.raise_for_status()",
        `with open("${file}", "wb") as file:`,
        "    for chunk in answer.iter_content(None):",
        "        file.write(chunk)",
      ].join("\n");
  }
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON is Python here: there is no null, true or false in these requests. */
function inPython(value: object): string {
  return JSON.stringify(value, null, 4).replaceAll("\n", "\n    ");
}
