import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { encodeMessagePack, LIMITS, MAX_FORM_FIELDS, VOICE_LIMITS } from "@parlance/protocol";
import { authorization, raw, recording, uploads } from "../../testing/asr-client.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { TONE_VOICES } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { MULTIPART_LIMITS } from "./read-multipart.ts";

type Body = FormData | Uint8Array<ArrayBuffer> | string;

/** Two routes that read uploads, with the field of their file and one that is a string. */
const ROUTES = {
  "/v1/asr": { file: "audio", text: "language", maxFieldBytes: 4096, maxFieldsBytes: 64 * 1024 },
  "/model": { file: "voices", text: "title", maxFieldBytes: 64 * 1024, maxFieldsBytes: 2 * 1024 * 1024 },
} as const;
type Route = keyof typeof ROUTES;
const routes = Object.keys(ROUTES) as Route[];

function form(...parts: readonly (readonly [string, string | Blob])[]): FormData {
  const data = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, "file.bin");
  }
  return data;
}

const repeat = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));

describe("uploads", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(async () => {
    assert.deepEqual(await uploads(server), [], "no file is left behind");
    await server.close();
  });

  async function send(path: string, body: Body, type?: string, method = "POST") {
    const packed = body instanceof Uint8Array ? { "content-type": "application/msgpack" } : {};
    const given = type === undefined ? packed : { "content-type": type };
    const response = await fetch(server.url + path, { method, headers: { authorization, ...given }, body });
    const error = (await response.json()) as { readonly message: string };
    return { status: response.status, code: response.headers.get("x-error-code"), body: error };
  }

  /** A fault, and the response to it on both routes. `FILE` and `TEXT` stand for the names of the fields. */
  const faults: readonly (readonly [string, (route: (typeof ROUTES)[Route]) => Body, number, unknown])[] = [
    [
      "more fields than allowed",
      ({ text }) => form(...repeat(MULTIPART_LIMITS.fields + 1, () => [text, "x"] as const)),
      422,
      [{ loc: ["body"], type: "too_many", msg: "Too many parts", in: "body" }],
    ],
    [
      "more files than allowed, of a name that is not used",
      () => form(...repeat(MULTIPART_LIMITS.files + 1, (i) => [`f${i}`, new Blob(["x"])] as const)),
      422,
      [{ loc: ["body"], type: "too_many", msg: "Too many parts", in: "body" }],
    ],
    [
      "no file",
      ({ text }) => form([text, "en"]),
      422,
      [{ loc: ["FILE"], type: "missing", msg: "Field required", in: "body" }],
    ],
    [
      "no file, as MessagePack",
      ({ file, text }) => encodeMessagePack({ [text]: "en", [file]: null }),
      422,
      [{ loc: ["FILE"], type: "missing", msg: "Field required", in: "body" }],
    ],
    [
      "a number in place of the file",
      ({ file, text }) => encodeMessagePack({ [text]: "en", [file]: 5 }),
      422,
      [{ loc: ["FILE"], type: "bytes_type", msg: "Expected bytes", in: "body" }],
    ],
    [
      "an array of numbers in place of the file",
      ({ file, text }) => encodeMessagePack({ [text]: "en", [file]: repeat(5000, () => 7) }),
      422,
      [{ loc: ["FILE", "0"], type: "bytes_type", msg: "Expected bytes", in: "body" }],
    ],
    [
      "more values than allowed",
      ({ file, text }) => encodeMessagePack({ [text]: "en", [file]: repeat(LIMITS.messagePackElements, () => 7) }),
      422,
      [
        {
          loc: ["body"],
          type: "msgpack_invalid",
          msg: `Not valid MessagePack: more than ${LIMITS.messagePackElements} values`,
          in: "body",
        },
      ],
    ],
    [
      "a field that is given twice",
      ({ file, text }) => form([text, "en"], [text, "fr"], [file, new Blob([recording])]),
      422,
      [{ loc: ["TEXT"], type: "string_type", msg: "Expected a string", ctx: "got an array", in: "body" }],
    ],
    [
      "a list",
      () => encodeMessagePack([1]),
      422,
      [{ loc: ["body"], type: "object_type", msg: "Expected a map", in: "body" }],
    ],
    [
      "half a map",
      ({ file }) => encodeMessagePack({ [file]: recording }).slice(0, 500),
      422,
      [
        {
          loc: ["body"],
          type: "msgpack_invalid",
          msg: "Not valid MessagePack: the data ends too early",
          in: "body",
        },
      ],
    ],
  ];
  for (const [name, make, status, expected] of faults) {
    it(`gets the same error on every route for ${name}`, async () => {
      for (const route of routes) {
        const { file, text } = ROUTES[route];
        const response = await send(route, make(ROUTES[route]));
        assert.equal(response.status, status, route);
        const named = JSON.stringify(expected).replaceAll('"FILE"', `"${file}"`).replaceAll('"TEXT"', `"${text}"`);
        assert.deepEqual(response.body, JSON.parse(named), route);
      }
    });
  }

  for (const route of routes) {
    const { file, maxFieldBytes, maxFieldsBytes } = ROUTES[route];
    const tooLarge = (limit: number) => ({
      status: 413,
      code: "payload_too_large",
      body: { status: 413, message: `The body is over the limit of ${limit} bytes` },
    });

    it(`limits one field and all fields together on ${route}`, async () => {
      const one = form(["note", "x".repeat(maxFieldBytes + 1)], [file, new Blob([recording])]);
      assert.deepEqual(await send(route, one), tooLarge(maxFieldBytes));
      const count = Math.ceil(maxFieldsBytes / maxFieldBytes) + 1;
      const all = form(...repeat(count, (index) => [`note${index}`, "x".repeat(maxFieldBytes - 1)] as const));
      assert.deepEqual(await send(route, all), tooLarge(maxFieldsBytes));
      const packed = encodeMessagePack({ note: "x".repeat(maxFieldsBytes), [file]: recording });
      assert.deepEqual(await send(route, packed), tooLarge(maxFieldsBytes));
    });
  }

  it("refuses a second file of a single field, and one file more than a list may have", async () => {
    const picture = new Blob(["x"]);
    const twice = form(
      ["title", "a"],
      ["voices", new Blob([recording])],
      ["cover_image", picture],
      ["cover_image", picture],
    );
    assert.deepEqual((await send("/model", twice)).body, [
      { loc: ["cover_image"], type: "too_many", msg: "One picture per request", in: "body" },
    ]);
    const files = repeat(VOICE_LIMITS.files + 1, () => Uint8Array.of(1));
    const { status, body } = await send("/model", encodeMessagePack({ title: "a", voices: files }));
    assert.equal(status, 400);
    assert.match(body.message, /^voices: one more file .* at most 20 are allowed$/);
  });

  it("limits the size of each file", async () => {
    for (const body of [
      form(["title", "a"], ["voices", new Blob([new Uint8Array(VOICE_LIMITS.fileBytes + 1)])]),
      encodeMessagePack({ title: "a", voices: [new Uint8Array(VOICE_LIMITS.fileBytes + 1)] }),
    ]) {
      const { code, body: error } = await send("/model", body);
      assert.equal(code, "file_too_large");
      assert.equal(error.message, `voices: a file is over the limit of ${VOICE_LIMITS.fileBytes} bytes`);
    }
  });

  it("limits the size of the whole body, announced or not", async () => {
    const limit = VOICE_LIMITS.messagePackBytes;
    for (const [path, length, message] of [
      ["/v1/asr", LIMITS.asrBodyBytes, /audio: the file is over the limit of 20971520 bytes/],
      ["/model", limit, new RegExp(`The body is over the limit of ${limit} bytes`)],
    ] as const) {
      const { socket, answer } = raw(server);
      const length1 = `Content-Length: ${length + 1}\r\n`;
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${length1}`);
      socket.write("Content-Type: application/msgpack\r\n\r\n");
      socket.once("data", () => socket.end());
      assert.match(await answer, message);
    }
  });

  it("accepts base64 and arrays of integers where a voice is made from MessagePack", async () => {
    const voices = [Buffer.from(recording).toString("base64"), [...recording.subarray(0, 100)]];
    // Shape errors come before everything else, so the files were read.
    const { body } = await send("/model", encodeMessagePack({ voices }));
    assert.deepEqual(body, [{ loc: ["title"], type: "missing", msg: "Field required", in: "body" }]);
  });

  it("accepts JSON with base64 where a voice is made, within its own limit", async () => {
    const voices = [Buffer.from(recording).toString("base64")];
    const post = (body: unknown) => send("/model", JSON.stringify(body), "application/json");
    assert.deepEqual((await post({ voices })).body, [
      { loc: ["title"], type: "missing", msg: "Field required", in: "body" },
    ]);
    assert.deepEqual((await post({ title: "a", voices: ["not base64!"] })).body, [
      { loc: ["voices", "0"], type: "bytes_type", msg: "Expected bytes", in: "body" },
    ]);
    assert.deepEqual((await post([])).body, [
      { loc: ["body"], type: "object_type", msg: "Expected an object", in: "body" },
    ]);
    assert.equal((await post({ title: "a", voices: "A".repeat(VOICE_LIMITS.jsonBytes) })).status, 413);
    assert.equal((await send("/v1/asr", "{}", "application/json")).status, 415);
  });

  it("writes the files of a MessagePack body to disk while they arrive", async () => {
    const body = encodeMessagePack({ title: "a", voices: [new Uint8Array(4_000_000), new Uint8Array(4_000_000)] });
    const { socket } = raw(server);
    socket.write(`POST /model HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`);
    socket.write(`Content-Type: application/msgpack\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body.slice(0, 6_000_000));
    const sizes = async () => Promise.all((await uploads(server)).map(async (path) => (await stat(path)).size));
    const written = await until(async () => {
      const found = await sizes();
      return found.reduce((sum, size) => sum + size, 0) >= 5_000_000 && found;
    });
    assert.equal(written.length, 2);
    socket.destroy();
    await until(async () => (await uploads(server)).length === 0);
  });

  it("limits the number of fields of an encoded form and of a query", async () => {
    const issue = (where: string) => [
      { loc: [where], type: "too_many", msg: `At most ${MAX_FORM_FIELDS} fields are allowed`, in: where },
    ];
    const path = `/model/${TONE_VOICES[0]?.id}`;
    const urlEncoded = "application/x-www-form-urlencoded";
    for (const many of ["a&".repeat(32_000), repeat(6000, (index) => `a[${index}]`).join("&")]) {
      assert.deepEqual((await send(path, many, urlEncoded, "PATCH")).body, issue("body"));
    }
    for (const many of ["a&".repeat(5000), repeat(1500, (index) => `a[${index}]`).join("&")]) {
      const response = await fetch(`${server.url}/model?${many}`, { headers: { authorization } });
      assert.deepEqual(await response.json(), issue("query"));
    }
  });
});
