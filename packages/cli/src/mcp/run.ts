import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Parlance } from "@parlance/client";
import { apiError, LIMITS, toSpokenText } from "@parlance/protocol";
import { createToolServer, MAX_LISTED_VOICES, type ToolActions } from "@parlance/server/mcp";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { version } from "../version.ts";
import { findServer, type ServerOptions } from "../voices/connect.ts";

/** Serves the tools until standard input ends. */
export async function serveTools(options: ServerOptions, context: Context, signal: AbortSignal): Promise<void> {
  const client = findServer(options, context.environment);
  if (client === undefined) throw new UsageError("name the server with --server or PARLANCE_URL");
  const actions = createClientActions(client);
  const ended = once(process.stdin, "close", { signal });
  const handle = serveStdio(() => createToolServer(actions, version()), {
    transport: new StdioServerTransport(process.stdin, process.stdout),
    onerror: (error) => context.terminal.notify(`parlance: ${error.message}`),
  });
  try {
    await ended;
  } finally {
    await handle.close();
  }
}

function createClientActions(client: Parlance): ToolActions {
  return {
    speak: ({ text, voice, format, speed }, signal) =>
      client.tts.convert(
        {
          text,
          format,
          latency: "normal",
          ...(voice === undefined ? {} : { reference_id: voice }),
          ...(speed === undefined ? {} : { prosody: { speed } }),
        },
        { signal },
      ),
    async transcribe(recording, { language, speakers }, signal) {
      const options = { language, speakers, ignoreTimestamps: speakers === false, signal };
      const { text, segments } = await client.asr.transcribe(new Blob([Uint8Array.from(recording)]), options);
      return toSpokenText(text, segments);
    },
    async listVoices({ language, title }, signal) {
      const { items } = await client.voices.list({ language, title, page_size: MAX_LISTED_VOICES }, { signal });
      return items.map(({ _id: id, title: name, languages }) => ({ id, title: name, languages }));
    },
    files: {
      async read(path) {
        const { size } = await stat(path);
        if (size > LIMITS.asrFileBytes) throw apiError("audio_too_large", { limit: LIMITS.asrFileBytes });
        return readFile(path);
      },
      write: (path, bytes) => writeFile(path, bytes),
    },
  };
}
