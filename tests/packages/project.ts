/** A plain TypeScript project that uses the packages: no custom conditions, no path mapping, library types checked. */
export function projectFiles(program: string): readonly (readonly [string, string])[] {
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    moduleResolution: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: false,
  };
  return [
    ["package.json", JSON.stringify({ name: "user-project", private: true, type: "module" })],
    ["tsconfig.json", JSON.stringify({ compilerOptions, files: [program] })],
  ];
}

export const programSource = `
import { ApiError, Parlance } from "@parlance/client";

const { PARLANCE_URL: baseUrl = "", PARLANCE_API_KEY: apiKey } = process.env;
const client = new Parlance({ baseUrl, apiKey });
const file: Uint8Array = await client.tts.convert({ text: "Hello!", format: "mp3" });
const session = await client.live({ format: "pcm", sample_rate: 24000 });
session.speak(["Hello, ", "world."]);
let bytes = 0;
for await (const { audio } of session) bytes += audio.length;
const unauthorized = new Parlance({ baseUrl, apiKey: "wrong" });
const refusal: unknown = await unauthorized.tts.convert({ text: "Hello!" }).catch((error: unknown) => error);
if (!(refusal instanceof ApiError)) throw refusal;
console.log(\`spoke \${file.length} bytes; live \${bytes} bytes; refused with \${refusal.code}\`);
`;

export const typesSource = `
import { run } from "@parlance/cli";
import { Parlance } from "@parlance/client";
import { parseTtsRequest } from "@parlance/protocol";
import { AUDIO_FORMATS, type AudioFormatName } from "@parlance/protocol/values";
import { startServer } from "@parlance/server";
import { createSpeech } from "@parlance/speech";

const code: Promise<number> = run(["--version"], process.env);
const formats: readonly AudioFormatName[] = AUDIO_FORMATS;
export { Parlance, code, createSpeech, formats, parseTtsRequest, startServer };
`;
