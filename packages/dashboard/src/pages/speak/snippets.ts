import type { CodeLanguage } from "../../lib/code-languages.ts";

export interface SnippetRequest {
  readonly text: string;
  readonly model: string;
  readonly format: string;
  readonly latency: string;
  readonly reference_id?: string | readonly string[];
  readonly language?: string;
  readonly prosody?: { readonly speed?: number; readonly volume?: number };
}

/** Code for the request of the page. The key is read from the environment. */
export function snippet(language: CodeLanguage, address: string, { model, ...body }: SnippetRequest): string {
  const file = `speech.${body.format}`;
  switch (language) {
    case "curl":
      return [
        `curl --fail-with-body ${address}/v1/tts --output ${file} \\`,
        '  -H "Authorization: Bearer $PARLANCE_API_KEY" \\',
        `  -H "model: ${model}" \\`,
        '  -H "Content-Type: application/json" \\',
        `  -d ${quoteForShell(JSON.stringify(body))}`,
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
        "response = requests.post(",
        `    ${JSON.stringify(`${address}/v1/tts`)},`,
        `    headers={"Authorization": f"Bearer {os.environ['PARLANCE_API_KEY']}", "model": ${JSON.stringify(model)}},`,
        `    json=${toPython(body)},`,
        "    stream=True,",
        ")",
        "response.raise_for_status()",
        `with open("${file}", "wb") as file:`,
        "    for chunk in response.iter_content(None):",
        "        file.write(chunk)",
      ].join("\n");
  }
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** JSON is valid Python here: these requests contain no null, true or false. */
function toPython(value: object): string {
  return JSON.stringify(value, null, 4).replaceAll("\n", "\n    ");
}
