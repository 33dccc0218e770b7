import { type CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { LIMITS, PROSODY_RANGES } from "@parlance/protocol";
import { z } from "zod";

/** What the tools do, on whichever server. Errors are shown to the model: their messages say what to do. */
export interface ToolActions {
  speak(request: SpeakRequest, signal: AbortSignal): Promise<Uint8Array>;
  /** The text; with speakers, a paragraph for each turn. */
  transcribe(recording: Uint8Array, options: TranscribeRequest, signal: AbortSignal): Promise<string>;
  listVoices(filter: VoiceFilter, signal: AbortSignal): Promise<readonly ToolVoice[]>;
  /** Where the tools may use files of the machine that they run on. */
  readonly files?: ToolFiles | undefined;
}

export interface SpeakRequest {
  readonly text: string;
  readonly voice: string | undefined;
  readonly format: ToolFormat;
  readonly speed: number | undefined;
}

export interface TranscribeRequest {
  readonly language: string | undefined;
  /** Speaker diarization: on or off, or the number of speakers. */
  readonly speakers: boolean | number;
}

export interface VoiceFilter {
  readonly language: string | undefined;
  readonly title: string | undefined;
}

export interface ToolVoice {
  readonly id: string;
  readonly title: string;
  readonly languages: readonly string[];
}

export interface ToolFiles {
  read(path: string): Promise<Uint8Array>;
  write(path: string, bytes: Uint8Array): Promise<void>;
}

const MEDIA_TYPES = { mp3: "audio/mpeg", wav: "audio/wav", opus: "audio/ogg" } as const;
type ToolFormat = keyof typeof MEDIA_TYPES;
/** Voices that one call lists. */
export const MAX_LISTED_VOICES = 100;

const { speed } = PROSODY_RANGES;
const speakInput = z.object({
  text: z.string().min(1).max(1_000_000).describe("What to say."),
  voice: z.string().optional().describe("The id of a voice, from list_voices. Without it, the default voice speaks."),
  format: z.enum(["mp3", "wav", "opus"]).default("mp3").describe("The format of the audio."),
  speed: z.number().min(speed.min).max(speed.max).optional().describe("The pace; 2 is twice as fast."),
});
const path = z.string().min(1).optional();
const speakFileInput = speakInput.extend({
  path: path.describe("A file to write the audio to. Without it, the result is the audio itself."),
});
const transcribeInput = z.object({
  audio: z.string().min(1).optional().describe("The recording in base64, in any common format."),
  language: z.string().optional().describe("The spoken language, such as en. Detected when left out."),
  speakers: z
    .union([z.boolean(), z.number().int().min(1).max(LIMITS.asrSpeakers.count)])
    .default(false)
    .describe("true: each turn begins with who speaks. A number: how many people speak."),
});
const transcribeFileInput = transcribeInput.extend({ path: path.describe("The file of the recording.") });
const listVoicesInput = z.object({
  language: z.string().optional().describe("Only voices of this language, such as en."),
  title: z.string().optional().describe("Only voices whose title contains this."),
});

/** A server of the Model Context Protocol with the tools `speak`, `transcribe` and `list_voices`. */
export function createToolServer(actions: ToolActions, version: string): McpServer {
  const server = new McpServer({ name: "parlance", version }, { capabilities: { tools: {} } });
  const { files } = actions;
  // Without files the schemas have no path, and what is not in a schema does not reach the tool.
  const withFiles = files !== undefined;
  server.registerTool(
    "speak",
    {
      title: "Text to speech",
      description: "Speaks a text. Returns the audio.",
      inputSchema: withFiles ? speakFileInput : (speakInput as typeof speakFileInput),
    },
    async ({ text, voice, format, speed: pace, path: file }, { mcpReq }) => {
      const audio = await actions.speak({ text, voice, format, speed: pace }, mcpReq.signal);
      if (files === undefined || file === undefined) {
        return { content: [{ type: "audio", data: toBase64(audio), mimeType: MEDIA_TYPES[format] }] };
      }
      await files.write(file, audio);
      return textResult(`${audio.length} bytes of ${format} were written to ${file}`);
    },
  );
  server.registerTool(
    "transcribe",
    {
      title: "Speech to text",
      description: "Transcribes a recording of up to an hour and 20 MB. Returns the text.",
      inputSchema: withFiles ? transcribeFileInput : (transcribeInput as typeof transcribeFileInput),
      annotations: { readOnlyHint: true },
    },
    async ({ audio, language, speakers, path: file }, { mcpReq }) => {
      const recording = file !== undefined ? await files?.read(file) : fromBase64(audio);
      if (recording === undefined)
        throw new Error(`No recording: ${withFiles ? "give a path" : "give audio in base64"}`);
      return textResult(await actions.transcribe(recording, { language, speakers }, mcpReq.signal));
    },
  );
  server.registerTool(
    "list_voices",
    {
      title: "List voices",
      description: `Lists up to ${MAX_LISTED_VOICES} voices that can speak, as JSON.`,
      inputSchema: listVoicesInput,
      annotations: { readOnlyHint: true },
    },
    async ({ language, title }, { mcpReq }) =>
      textResult(JSON.stringify(await actions.listVoices({ language, title }, mcpReq.signal))),
  );
  return server;
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

function fromBase64(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text, "base64");
}
