import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { ERROR_CODE_HEADER, parseTtsRequest, timestampEvent, ttsBody } from "@parlance/protocol";
import { fastify } from "fastify";
import { resolveParts } from "../compose/app-parts.ts";
import { createHttpServer } from "../compose/http-server.ts";
import { addLifecycle } from "../compose/lifecycle.ts";
import { registerRoutes } from "../compose/routes.ts";
import { createServices } from "../compose/services.ts";
import { readConfig } from "../config/config.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";
import { collectRoutes } from "./collect-routes.ts";
import { openApiDocument } from "./document.ts";
import { renderPage } from "./page.ts";
import type { JsonSchema, OpenApiDocument } from "./types.ts";

/** Routes for browsers, which the document leaves out. */
const PAGES = ["GET /mcp", "DELETE /mcp", "GET /", "GET /docs", "GET /sign-in", "GET /sign-in.js", "OPTIONS /*"];

/** The document of the real app, and every route that was added to it. */
async function readDocument() {
  const folder = await mkdtemp(join(tmpdir(), "parlance-openapi-"));
  const store = await openSqliteStore(folder);
  const parts = resolveParts({
    config: { ...readConfig({}).config, data: folder },
    speech: createToneSpeech(),
    transcription: createBurstTranscription(),
    store,
    log: createLog("info", { write: () => {} }),
    healthChecks: "off",
  });
  const services = createServices(parts);
  const http = createHttpServer(services, parts);
  const routes: string[] = [];
  http.addHook("onRoute", ({ method, url }) => {
    for (const each of [method].flat()) if (each !== "HEAD") routes.push(`${each} ${url.replace(/:(\w+)/g, "{$1}")}`);
  });
  registerRoutes(http, services, parts);
  addLifecycle(http, services, parts.traceExport);
  const response = await http.inject("/openapi.json");
  await http.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
  return { routes, response, document: response.json<OpenApiDocument>() };
}

/** Where, below a value of the document, schemas have properties without a description. */
function undescribedFields(value: unknown, place: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties } = value as JsonSchema;
  const own = Object.entries(properties ?? {}).filter(([, { description, $ref }]) => !description && !$ref);
  const below = Object.entries(value).flatMap(([name, inner]) => undescribedFields(inner, `${place}/${name}`));
  return [...own.map(([name]) => `${place} ${name}`), ...below];
}

describe("the OpenAPI document", () => {
  let document: OpenApiDocument;
  let read: Awaited<ReturnType<typeof readDocument>>;
  let request: JsonSchema;
  before(async () => {
    read = await readDocument();
    document = read.document;
    request = document.components.requestBodies.TtsRequest?.content["application/json"]?.schema ?? {};
  });

  it("is OpenAPI 3.1 at version 1", () => {
    assert.match(String(read.response.headers["content-type"]), /^application\/json/);
    assert.equal(document.openapi, "3.1.0");
    assert.equal(document.info.version, "1");
  });

  it("has every route of the server and no other", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual([...described, ...PAGES].toSorted(), read.routes.toSorted());
    for (const route of ["GET /metrics", "GET /admin/system", "POST /v1/tts"])
      assert.ok(described.includes(route), route);
  });

  it("cannot miss a route: one without a description is an error", async () => {
    const app = fastify();
    collectRoutes(app);
    assert.throws(() => app.get("/new", async () => "x"), /GET \/new has no description for OpenAPI/);
    await app.close();
  });

  it("has the requests of accounts and admins that docs/accounts.md lists", async () => {
    const page = await readFile(new URL("../../../../docs/accounts.md", import.meta.url), "utf8");
    const [, section = ""] = page.split("## Requests");
    const rows = section.matchAll(/^\| `([A-Z]+ \/\S+)` \| (.*) \|$/gm);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary]),
    );
    assert.deepEqual(
      Array.from(rows, ([, request, summary]) => [request, summary]),
      described.filter(([request]) => /^[A-Z]+ \/(account|admin)\b/.test(request ?? "")),
    );
  });

  it("has the 429 of every route that limits large bodies", () => {
    for (const [path, method] of [
      ["/projects", "post"],
      ["/projects/{id}", "patch"],
      ["/account/history/{id}/audio", "put"],
      ["/account/history/{id}", "get"],
      ["/account/usage", "get"],
      ["/account/traces", "get"],
      ["/v1/voices", "get"],
      ["/mcp", "post"],
    ] as const) {
      const codes = document.paths[path]?.[method]?.responses["429"]?.headers?.[ERROR_CODE_HEADER]?.schema.enum;
      assert.ok(codes?.includes("concurrency_limited"), `${method} ${path}`);
    }
    assert.equal(document.paths["/account"]?.get?.responses["429"], undefined);
  });

  it("is made in turns of the event loop, one for each route", async () => {
    const route = { method: "get", path: "/a", docs: { id: "getA", summary: "Get a" } } as const;
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await openApiDocument(Array.from({ length: 40 }, (_, index) => ({ ...route, path: `/a/${index}` })));
    isDone = true;
    assert.ok(turns >= 40, `${turns} turns`);
  });

  it("has an id for each operation that no other has", () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  it("groups operations by tags, and only the state of the server is left for the last", () => {
    const tagged = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).map(({ tags }) => ({ path, tag: tags[0] })),
    );
    const paths = tagged.filter(({ tag }) => tag === "Service").map(({ path }) => path);
    assert.deepEqual(paths, ["/health/live", "/health/ready", "/metrics", "/openapi.json", "/asyncapi.json"]);
    for (const { name } of document.tags)
      assert.ok(
        tagged.some(({ tag }) => tag === name),
        name,
      );
  });

  it("describes every parameter", () => {
    const undescribed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap(({ parameters = [] }) =>
        parameters.filter(({ description }) => !description).map(({ name }) => `${path} ${name}`),
      ),
    );
    assert.deepEqual(undescribed, []);
  });

  it("describes every field of bodies and responses", () => {
    assert.deepEqual(undescribedFields(document, ""), []);
  });

  it("has every field of a request for speech, of which only the text is required", () => {
    assert.deepEqual(Object.keys(request.properties ?? {}), Object.keys(ttsBody.shape));
    assert.deepEqual(request.required, ["text"]);
    for (const [name, field] of Object.entries(request.properties ?? {})) {
      assert.ok(field.description, `${name} has a description`);
      assert.ok(field.type !== undefined || field.anyOf !== undefined, `${name} has a type`);
    }
  });

  it("names the defaults and bounds of the server", () => {
    const rules = { maxTextCharacters: 10, models: ["s2-pro"] };
    const parse = (fields: object) => parseTtsRequest("s2-pro", { text: "a", ...fields }, rules);
    const fields = Object.entries(request.properties ?? {});
    const defaults = fields.filter(([, field]) => field.default !== undefined);
    assert.ok(defaults.length >= 9);
    assert.deepEqual(parse(Object.fromEntries(defaults.map(([name, field]) => [name, field.default]))), parse({}));
    for (const [name, field] of fields) {
      for (const value of [...(field.enum ?? []), field.minimum, field.maximum]) {
        if (value !== undefined) parse({ format: name === "opus_bitrate" ? "opus" : "wav", [name]: value });
      }
    }
  });

  it("describes an event of the stream with timestamps", () => {
    const event = document.components.schemas.TimestampEvent;
    assert.deepEqual(Object.keys(event?.properties ?? {}), Object.keys(timestampEvent.shape));
    assert.deepEqual(event?.required, Object.keys(timestampEvent.shape));
  });

  it("is shown as a page with every operation, field and error, which loads nothing from other servers", () => {
    const page = renderPage(document);
    for (const path of Object.keys(document.paths)) assert.ok(page.includes(path), path);
    for (const field of Object.keys(ttsBody.shape)) assert.ok(page.includes(`<code>${field}</code>`), field);
    for (const code of ["unknown_voice", "concurrency_limited", "overloaded"]) assert.ok(page.includes(code), code);
    for (const field of ["refinement", "samples[].audio", "sign_in_link.url"])
      assert.ok(page.includes(`<code>${field}</code>`), `${field} of responses`);
    for (const { name } of document.tags) assert.ok(page.includes(`<h2>${name}</h2>`), name);
    for (const words of ["/v1/tts/live/with-timestamp", "flush", "finish"]) assert.ok(page.includes(words), words);
    assert.doesNotMatch(page, /<script|https?:\/\/|@import|url\(/);
    assert.ok(page.includes("&lt;|speaker:0|&gt;"), "text is escaped");
  });
});
