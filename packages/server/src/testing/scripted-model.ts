import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the endpoint does for one request, step by step. */
export type ScriptStep =
  | { readonly text: string }
  | { readonly call: string; readonly id: string; readonly arguments: string }
  /** Nothing is sent until it resolves. */
  | { readonly until: Promise<unknown> }
  /** Bytes as they are, instead of events. */
  | { readonly raw: string }
  | { readonly status: number }
  | { readonly redirect: string }
  /** The connection breaks. */
  | { readonly gone: true };

export interface ModelRequest {
  readonly model?: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly unknown[];
  }[];
  readonly tools?: readonly unknown[];
  readonly tool_choice?: unknown;
  readonly max_tokens?: number;
}

/** A chat endpoint on this machine whose answers are written in advance. */
export interface ScriptedModel {
  /** For `PARLANCE_LLM_URL`. */
  readonly url: string;
  /** All requests so far, with the value of their `Authorization` header. */
  readonly requests: { readonly body: ModelRequest; readonly authorization: string | undefined; isClosed: boolean }[];
  close(): Promise<void>;
}

export async function startScriptedModel(
  script: (request: ModelRequest, number: number) => readonly ScriptStep[],
): Promise<ScriptedModel> {
  const requests: ScriptedModel["requests"] = [];
  const server = createServer((request, response) => {
    response.on("error", () => {});
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body: ModelRequest = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const record = { body, authorization: request.headers.authorization, isClosed: false };
    response.once("close", () => {
      record.isClosed = true;
    });
    requests.push(record);
    if (request.url !== "/v1/chat/completions") response.writeHead(404).end();
    else await play(script(body, requests.length - 1), response);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function play(steps: readonly ScriptStep[], response: ServerResponse): Promise<void> {
  const send = (data: string): unknown => response.write(`data: ${data}\n\n`);
  const delta = (fields: object): unknown => send(JSON.stringify({ choices: [{ index: 0, delta: fields }] }));
  let calls = 0;
  for (const step of steps) {
    if ("status" in step) return void response.writeHead(step.status).end("no");
    if ("redirect" in step) return void response.writeHead(307, { location: step.redirect }).end();
    if (!response.headersSent && !("until" in step)) response.writeHead(200, { "content-type": "text/event-stream" });
    if ("until" in step) await step.until;
    else if ("gone" in step) return void response.destroy();
    else if ("raw" in step) return void response.end(step.raw);
    else if ("text" in step) delta({ content: step.text });
    else {
      const called = { index: calls++, id: step.id, type: "function", function: { name: step.call, arguments: "" } };
      delta({ tool_calls: [called] });
      for (const piece of step.arguments.match(/.{1,8}/gs) ?? []) {
        delta({ tool_calls: [{ index: called.index, function: { arguments: piece } }] });
      }
    }
  }
  send(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: calls > 0 ? "tool_calls" : "stop" }] }));
  send(JSON.stringify({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } }));
  send("[DONE]");
  response.end();
}
