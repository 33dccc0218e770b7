import type { CodeLanguage } from "../../lib/code-languages.ts";

/** A request for which code is shown. */
export interface SampleRequest {
  readonly method: string;
  /** The whole address, with its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; undefined: none. */
  readonly json: string | undefined;
  /** The field of a form that takes a file; undefined: no form. */
  readonly file: string | undefined;
  /** Whether the response is written to a file. */
  readonly givesFile: boolean;
}

/** Code for a request. The key is read from the environment. */
export function sample(language: CodeLanguage, request: SampleRequest): string {
  switch (language) {
    case "curl":
      return curl(request);
    case "typescript":
      return typescript(request);
    case "python":
      return python(request);
  }
}

const FILE = "recording.wav";

function curl({ method, url, headers, json, file, givesFile }: SampleRequest): string {
  const lines = [
    `curl --fail-with-body ${method === "GET" ? "" : `-X ${method} `}${shell(url)}${givesFile ? " --output result" : ""}`,
    '-H "Authorization: Bearer $PARLANCE_API_KEY"',
    ...Object.entries(headers).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${shell(compact(json))}`]),
    ...(file === undefined ? [] : [`-F ${file}=@${FILE}`]),
  ];
  return lines.join(" \\\n  ");
}

function typescript({ method, url, headers, json, file, givesFile }: SampleRequest): string {
  const all = [
    `    Authorization: \`Bearer \${process.env.PARLANCE_API_KEY}\`,`,
    ...Object.entries(headers).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    ...(json === undefined ? [] : ['    "Content-Type": "application/json",']),
  ];
  return [
    ...(givesFile ? ['import { writeFile } from "node:fs/promises";', ""] : []),
    ...(file === undefined
      ? []
      : [
          'import { openAsBlob } from "node:fs";',
          "",
          "const form = new FormData();",
          `form.append("${file}", await openAsBlob("${FILE}"), "${FILE}");`,
        ]),
    `const response = await fetch(${JSON.stringify(url)}, {`,
    `  method: "${method}",`,
    "  headers: {",
    ...all,
    "  },",
    ...(json === undefined ? [] : [`  body: JSON.stringify(${compact(json)}),`]),
    ...(file === undefined ? [] : ["  body: form,"]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    givesFile
      ? 'await writeFile("result", Buffer.from(await response.arrayBuffer()));'
      : "console.log(await response.text());",
  ].join("\n");
}

function python({ method, url, headers, json, file, givesFile }: SampleRequest): string {
  return [
    "import os, requests",
    "",
    "response = requests.request(",
    `    "${method}",`,
    `    ${JSON.stringify(url)},`,
    "    headers={",
    `        "Authorization": f"Bearer {os.environ['PARLANCE_API_KEY']}",`,
    ...Object.entries(headers).map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
    ...(json === undefined ? [] : ['        "Content-Type": "application/json",']),
    "    },",
    ...(json === undefined ? [] : [`    data=${JSON.stringify(compact(json))}.encode(),`]),
    ...(file === undefined ? [] : [`    files={"${file}": open("${FILE}", "rb")},`]),
    ")",
    "response.raise_for_status()",
    givesFile ? 'open("result", "wb").write(response.content)' : "print(response.text)",
  ].join("\n");
}

/** On one line. Text that is not JSON yet stays as it is. */
function compact(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
