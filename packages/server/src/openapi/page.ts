import { LISTEN_PATH, LIVE_PATH, LIVE_TIMESTAMPS_PATH } from "@parlance/protocol";
import { PAGE_STYLE } from "./page-style.ts";
import type { JsonSchema, OpenApiDocument, Operation, Parameter, Response } from "./types.ts";

/** The document as one self-contained page without scripts. */
export function renderPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const links = operations
    .map(
      ({ path, method, operation }) =>
        `<li><a href="#${operation.operationId}"><b class="${method}">${method.toUpperCase()}</b> <span>${escapeHtml(path)}</span></a></li>`,
    )
    .join("");
  const sections = operations.map((each) => renderOperation(document, each.path, each.method, each.operation)).join("");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(document.info.title)} API</title><style>${PAGE_STYLE}</style></head>
<body><nav><p class="brand">${escapeHtml(document.info.title)}</p><ul>${links}<li><a href="#live"><b class="post">WS</b> <span>${LIVE_PATH}</span></a></li><li><a href="#listen"><b class="post">WS</b> <span>${LISTEN_PATH}</span></a></li></ul><p><a href="/openapi.json">openapi.json</a></p></nav>
<main><header><h1>${escapeHtml(document.info.title)} API</h1><p>${rich(document.info.description)}</p></header>
${renderExample()}${sections}${renderLive()}${renderListen()}</main></body></html>`;
}

function renderExample(): string {
  const command = [
    "curl --fail-with-body $PARLANCE_URL/v1/tts -o hello.mp3 \\",
    '  -H "Authorization: Bearer $PARLANCE_API_KEY" \\',
    '  -H "model: s2-pro" -H "Content-Type: application/json" \\',
    `  -d '{"text": "Hello from Parlance."}'`,
  ].join("\n");
  return `<section><h2>Example</h2><pre><code>${escapeHtml(command)}</code></pre></section>`;
}

/** OpenAPI cannot describe a WebSocket. */
function renderLive(): string {
  const frames = [
    ["→", '`{event: "start", request}`', "Starts a round. The fields of `/v1/tts`; `text` is optional."],
    ["→", '`{event: "text", text}`', "A piece of the text, of any length."],
    ["→", '`{event: "flush"}`', "Speak everything received so far."],
    ["→", '`{event: "stop"}`', "Speak the rest, then finish. Another `start` may follow."],
    ["←", '`{event: "audio", audio, time}`', "The next bytes of the file, and the milliseconds since `start`."],
    ["←", '`{event: "finish", reason, message?}`', "The end of the round. `reason` is `stop` or `error`."],
  ];
  return `<section id="live"><h2><b class="post">WS</b> <code>${LIVE_PATH}</code></h2>
<p class="lead">Text to speech while the text is being written</p>
<p>${rich(`Binary MessagePack frames. \`Authorization\`, \`model\` (optional) and \`traceparent\` are headers of the upgrade; an upgrade that is refused gets an HTTP error. \`${LIVE_TIMESTAMPS_PATH}\` adds \`content\`, \`alignment\`, \`chunk_seq\` and \`chunk_audio_offset_sec\` to each audio frame.`)}</p>
${table(
  ["", "frame", "description"],
  frames.map((row) => row.map(rich)),
)}</section>`;
}

function renderListen(): string {
  const frames = [
    [
      "→",
      '`{event: "start", request}`',
      "`format`, `sample_rate`, `language`, `partials`, `end_of_turn` and its times.",
    ],
    ["→", '`{event: "audio", audio}`', "The next bytes of the audio."],
    ["→", '`{event: "flush"}`', "The turn ends here."],
    ["→", '`{event: "stop"}`', "Recognize the rest, then finish."],
    ["←", '`{event: "partial", text, stable, words, …}`', "The text so far; the first `stable` words will not change."],
    ["←", '`{event: "segment", text, words, ends_turn, …}`', "Final text with the times of its words."],
    ["←", '`{event: "speech_started" | "speech_stopped", time}`', "The start and the end of a turn, in seconds."],
    ["←", '`{event: "finish", reason, message?, code?}`', "The end of the stream; the socket closes."],
  ];
  return `<section id="listen"><h2><b class="post">WS</b> <code>${LISTEN_PATH}</code></h2>
<p class="lead">Speech to text while it is being spoken</p>
${table(
  ["", "frame", "description"],
  frames.map((row) => row.map(rich)),
)}</section>`;
}

function renderOperation(document: OpenApiDocument, path: string, method: string, operation: Operation): string {
  const body = document.components.requestBodies[operation.requestBody?.$ref.split("/").at(-1) ?? ""];
  const types = Object.keys(body?.content ?? {});
  const schema = Object.values(body?.content ?? {})[0]?.schema;
  return `<section id="${operation.operationId}"><h2><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></h2>
<p class="lead">${rich(operation.summary)}</p>${operation.description === undefined ? "" : `<p>${rich(operation.description)}</p>`}
${operation.parameters === undefined ? "" : `<h3>Headers and parameters</h3>${table(["name", "type", "description"], operation.parameters.map(parameterRow))}`}
${schema === undefined ? "" : `<h3>Body <small>${types.map((type) => `<code>${type}</code>`).join(" or ")}</small></h3>${table(["field", "type", "default", "description"], fieldRows(schema))}`}
<h3>Responses</h3>${table(["status", "description", "content"], Object.entries(operation.responses).map(responseRow))}</section>`;
}

function parameterRow(parameter: Parameter): readonly string[] {
  const name = `<code>${escapeHtml(parameter.name)}</code>${parameter.required ? ' <em class="need">required</em>' : ""}`;
  return [name, typeOf(parameter.schema), rich(parameter.description) + allowed(parameter.schema)];
}

function fieldRows(schema: JsonSchema, prefix = ""): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const need = prefix === "" && schema.required?.includes(name) === true ? ' <em class="need">required</em>' : "";
    const fallback = field.default === undefined ? "" : `<code>${escapeHtml(JSON.stringify(field.default))}</code>`;
    const row = [
      `<code>${prefix}${escapeHtml(name)}</code>${need}`,
      typeOf(field),
      fallback,
      rich(field.description ?? "") + allowed(field),
    ];
    const inner =
      field.items?.properties === undefined
        ? fieldRows(field, `${prefix}${name}.`)
        : fieldRows(field.items, `${prefix}${name}[].`);
    return [row, ...inner];
  });
}

function responseRow([status, response]: readonly [string, Response]): readonly string[] {
  const codes = response.headers?.["x-error-code"]?.schema.enum ?? [];
  const listed = codes.map((code) => `<code>${escapeHtml(String(code))}</code>`).join(" ");
  const content = Object.keys(response.content ?? {}).map((type) => `<code>${escapeHtml(type)}</code>`);
  return [
    `<b class="s${status[0]}">${status}</b>`,
    rich(response.description) + (listed === "" ? "" : `<div class="codes">${listed}</div>`),
    content.join("<br>"),
  ];
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" or ");
  return escapeHtml(
    schema.type === "array" && schema.items?.type !== undefined
      ? `array of ${schema.items.type}`
      : [schema.type ?? "any"].flat().join(" or "),
  );
}

function allowed(schema: JsonSchema): string {
  if (schema.enum !== undefined) {
    return `<div class="codes">${schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(" ")}</div>`;
  }
  if (schema.minimum !== undefined && schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) {
    return `<div class="codes"><code>${schema.minimum} … ${schema.maximum}</code></div>`;
  }
  return schema.maxLength === undefined ? "" : `<div class="codes"><code>≤ ${schema.maxLength} characters</code></div>`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((name) => `<th>${name}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Text with `code` in back quotes. */
function rich(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
