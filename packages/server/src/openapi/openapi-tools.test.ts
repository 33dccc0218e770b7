import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import openapiTypescript, { astToString } from "openapi-typescript";
import { startTestServer } from "../testing/test-server.ts";
import { asyncApiDocument } from "./asyncapi.ts";

const PROGRAM = `
import type { components, operations, paths } from "./parlance.d.ts";

type Body = paths["/v1/tts"]["post"]["requestBody"]["content"]["application/json"];
export const least: Body = { text: "Hello." };
export const more: Body = { text: "Hello.", format: "wav", sample_rate: 44100 };
// @ts-expect-error: the text is required
export const empty: Body = {};
// @ts-expect-error: there is no such format
export const wrong: Body = { text: "Hello.", format: 5 };
export const voice: operations["createVoice"]["responses"]["201"]["content"]["application/json"]["title"] = "Ada";
export type Account = components["schemas"]["Account"];
`;

it("describes the live sockets for AsyncAPI tools", async () => {
  const source = JSON.stringify(asyncApiDocument());
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, absoluteRef: "asyncapi.json", config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ""}: ${message}`),
    [],
  );
});

describe("the OpenAPI document in other tools", () => {
  let document = "";
  before(async () => {
    const server = await startTestServer();
    document = await (await fetch(`${server.url}/openapi.json`)).text();
    await server.close();
  });

  it("passes the recommended rules of Redocly without an error or a warning", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ""}: ${message}`),
      [],
    );
  });

  it("gives types with which a request of a text alone compiles", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "parlance-types-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "parlance.d.ts"), astToString(await openapiTypescript(document)));
    await writeFile(join(folder, "program.ts"), PROGRAM);
    const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--allowImportingTsExtensions"];
    await promisify(execFile)(process.execPath, [tsc, ...options, "program.ts"], {
      cwd: folder,
      timeout: 100_000,
    }).catch((error: { stdout?: string }) => assert.fail(error.stdout ?? String(error)));
  });
});
