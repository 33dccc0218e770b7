import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError, Parlance } from "../index.ts";

const voice = { title: "Ada", voices: [new Blob(["not looked at here"])] };

function clientOf(answers: readonly Response[]) {
  let requests = 0;
  const client = new Parlance({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "k",
    fetch: async () => answers[Math.min(requests++, answers.length - 1)]?.clone() ?? Response.error(),
  });
  return { client, requests: () => requests };
}

const refusal = (status: number, code: string) =>
  new Response(JSON.stringify({ status, message: code }), {
    status,
    headers: { "content-type": "application/json", "x-error-code": code, "retry-after": "0" },
  });

it("waits for a server that still downloads the models for cloning", async () => {
  const waits: string[] = [];
  const { client, requests } = clientOf([
    refusal(503, "not_ready"),
    refusal(503, "not_ready"),
    refusal(400, "cloning_off"),
  ]);
  await assert.rejects(
    client.voices.create(voice, { onWait: ({ message }) => waits.push(message) }),
    (error) => error instanceof ApiError && error.code === "cloning_off",
  );
  assert.deepEqual(waits, ["not_ready", "not_ready"]);
  assert.equal(requests(), 3);
});

it("does not retry a failure after which the voice may exist", async () => {
  const { client, requests } = clientOf([refusal(500, "internal")]);
  await assert.rejects(client.voices.create(voice), ApiError);
  assert.equal(requests(), 1);
});

it("stops waiting when it is aborted", async () => {
  const controller = new AbortController();
  const { client } = clientOf([refusal(503, "not_ready")]);
  const onWait = () => controller.abort(new Error("enough"));
  await assert.rejects(client.voices.create(voice, { signal: controller.signal, onWait }), /enough/);
});
