import { PAGE_STYLE } from "./page-style.ts";
import { frameShape, SOCKETS, type SocketDocs } from "./sockets.ts";
import type { JsonSchema, OpenApiDocument, Operation, Parameter, Response } from "./types.ts";

const NEED = ' <em class="need">required</em>';

/** The document as one self-contained page without scripts. */
export function renderPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const link = (id: string, look: string, method: string, path: string): string =>
    `<li><a href="#${id}"><b class="${look}">${method}</b> <span>${escapeHtml(path)}</span></a></li>`;
  const groups = document.tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    const links = own.map(({ path, method, operation }) =>
      link(operation.operationId, method, method.toUpperCase(), path),
    );
    return `<h2>${escapeHtml(name)}</h2><ul>${links.join("")}</ul>`;
  });
  const sockets = SOCKETS.map(({ id, path }) => link(id, "post", "WS", path)).join("");
  const sections = operations.map((each) => renderOperation(document, each.path, each.method, each.operation)).join("");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><link rel="icon" href="/icon.svg" type="image/svg+xml"><title>${escapeHtml(document.info.title)} API</title><style>${PAGE_STYLE}</style></head>
<body><nav><p class="brand">${escapeHtml(document.info.title)}</p>${groups.join("")}<h2>Live sockets</h2><ul>${sockets}</ul><p><a href="/openapi.json">openapi.json</a> <a href="/asyncapi.json">asyncapi.json</a></p><p><a href="/">Back to the dashboard</a></p></nav>
<main><header><h1>${escapeHtml(document.info.title)} API</h1><p>${rich(document.info.description)}</p></header>
${renderExample()}${sections}${SOCKETS.map(renderSocket).join("")}</main></body></html>`;
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

function renderSocket({ id, path, summary, description, frames }: SocketDocs): string {
  const rows = frames.map((frame) => [frame.from, rich(`\`${frameShape(frame)}\``), rich(frame.description)]);
  return `<section id="${id}"><h2><b class="post">WS</b> <code>${path}</code></h2>
<p class="lead">${summary}</p><p>${rich(description)}</p>${table(["from", "frame", "description"], rows)}</section>`;
}

function renderOperation(document: OpenApiDocument, path: string, method: string, operation: Operation): string {
  const body = document.components.requestBodies[operation.requestBody?.$ref.split("/").at(-1) ?? ""];
  const types = Object.keys(body?.content ?? {});
  const schema = Object.values(body?.content ?? {})[0]?.schema;
  return `<section id="${operation.operationId}"><h2><b class="${method}">${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></h2>
<p class="lead">${rich(operation.summary)}</p>${operation.description === undefined ? "" : `<p>${rich(operation.description)}</p>`}
${operation.parameters === undefined ? "" : `<h3>Headers and parameters</h3>${table(["name", "type", "description"], operation.parameters.map(parameterRow))}`}
${schema === undefined ? "" : `<h3>Body <small>${types.map((type) => `<code>${type}</code>`).join(" or ")}</small></h3>${table(["field", "type", "default", "description"], fieldRows(schema))}`}
<h3>Responses</h3>${table(["status", "description", "content"], Object.entries(operation.responses).map(responseRow))}${responseFields(document, operation)}</section>`;
}

/** The fields of a successful response, where it is JSON. */
function responseFields(document: OpenApiDocument, { responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
  const resolve = (schema: JsonSchema = {}): JsonSchema =>
    schema.$ref === undefined ? schema : (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const schema = resolve(success?.content?.["application/json"]?.schema);
  const rows = fieldRows(resolve(schema.items ?? schema)).map(([name = "", type = "", , description = ""]) => [
    name.replace(NEED, ""),
    type,
    description,
  ]);
  if (rows.length === 0) return "";
  return `<details><summary>Fields of the response</summary>${table(["field", "type", "description"], rows)}</details>`;
}

function parameterRow(parameter: Parameter): readonly string[] {
  const name = `<code>${escapeHtml(parameter.name)}</code>${parameter.required ? NEED : ""}`;
  return [name, typeOf(parameter.schema), rich(parameter.description) + allowed(parameter.schema)];
}

function fieldRows(schema: JsonSchema, prefix = ""): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const need = prefix === "" && schema.required?.includes(name) === true ? NEED : "";
    const fallback = field.default === undefined ? "" : `<code>${escapeHtml(JSON.stringify(field.default))}</code>`;
    const row = [
      `<code>${prefix}${escapeHtml(name)}</code>${need}`,
      typeOf(field),
      fallback,
      rich(field.description ?? "") + allowed(field),
    ];
    const inner = [field, ...(field.anyOf ?? [])].flatMap((each) =>
      each.items?.properties === undefined
        ? fieldRows(each, `${prefix}${name}.`)
        : fieldRows(each.items, `${prefix}${name}[].`),
    );
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
