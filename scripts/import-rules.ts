/**
 * Which package may import which, and which folder of a package which others. The folders of a package are listed from
 * the bottom up: each may only name folders that stand before it, or that lie above or below it in the tree.
 * `audio` stands for that folder alone, `audio/*` for it and everything below, "." for the files right below `src`.
 */
export const packageRules: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  speech: [],
  client: ["protocol"],
  server: ["protocol", "speech"],
  cli: ["client", "protocol", "server", "speech"],
  dashboard: ["client", "protocol"],
};

type FolderRules = Readonly<Record<string, readonly string[]>>;

const protocol: FolderRules = {
  wire: [],
  billing: ["wire"],
  accounts: ["billing", "wire"],
  voices: ["accounts", "wire"],
  tts: ["voices", "wire"],
  asr: ["wire"],
  live: ["tts", "wire"],
  traces: ["billing"],
  ".": ["*"],
};

const loaded = ["audio", "engines", "engines/onnx", "lib"];
const speech: FolderRules = {
  lib: [],
  text: ["text/*", "lib"],
  "text/english": ["text"],
  audio: ["audio/encode", "lib", "text"],
  "audio/encode": ["audio", "lib"],
  "audio/decode": ["lib"],
  image: ["audio/decode", "lib"],
  models: ["lib"],
  g2p: ["lib", "text"],
  "engines/onnx": ["lib"],
  "engines/attention": ["engines", "engines/onnx", "lib"],
  "engines/kokoro": [...loaded, "engines/kokoro/student", "g2p", "models"],
  "engines/kokoro/student": ["audio", "engines", "lib"],
  "engines/piper": [...loaded, "g2p", "models"],
  "engines/moonshine": [...loaded, "engines/attention", "models"],
  "engines/silero": [...loaded, "models"],
  "engines/whisper": [...loaded, "engines/attention", "models"],
  engines: ["engines/*", "g2p", "lib", "models", "text"],
  pool: ["engines", "lib", "text"],
  "pool/admission": ["engines", "lib", "pool", "text"],
  voices: ["engines"],
  synthesis: ["audio", "engines", "lib", "models", "pool/*", "text", "voices"],
  recognition: ["audio/*", "engines", "engines/attention", "engines/silero", "lib", "models", "pool/*"],
  "voices/clone/xvector": ["audio", "engines", "engines/onnx", "lib", "models"],
  "voices/clone": [
    ...["audio/*", "engines", "engines/silero", "lib", "models", "pool/*", "recognition"],
    ...["synthesis", "text", "voices/clone/xvector"],
  ],
  catalog: ["engines", "engines/silero", "models", "voices/clone/xvector"],
  ".": ["*"],
};

const services = ["config", "lib", "stores", "telemetry"];
const dialect = ["config", "http/*", "lib", "openapi", "services/*", "telemetry"];
const route = [...dialect, "metrics"];
const server: FolderRules = {
  lib: [],
  "config/settings": ["config"],
  config: ["config/settings", "lib"],
  "stores/migrations": ["lib", "stores"],
  stores: ["config", "lib", "stores/migrations"],
  telemetry: ["config", "lib"],
  "services/identity": services,
  "services/cluster": [...services, "services/identity"],
  "services/limits": [...services, "services/identity"],
  "services/billing": [...services, "services/cluster", "services/identity"],
  "services/usage": services,
  "services/uploads": services,
  "services/voices": [...services, "services/cluster", "services/identity", "services/uploads"],
  "services/speech": [
    ...services,
    "services/billing",
    "services/identity",
    "services/limits",
    "services/uploads",
    "services/voices",
  ],
  "services/health": [...services, "services/cluster", "services/identity", "services/speech"],
  http: ["config", "lib", "services/*", "stores", "telemetry"],
  "http/uploads": ["config", "http", "lib", "services/uploads", "telemetry"],
  metrics: ["config", "http", "lib", "services/*", "telemetry"],
  openapi: ["lib"],
  "dialects/fish/tts": dialect,
  "dialects/fish/live": dialect,
  "dialects/fish/asr": dialect,
  "dialects/fish/model": dialect,
  "dialects/fish": [...dialect, "dialects/fish/*"],
  "routes/account": route,
  "routes/wallet": route,
  "routes/admin": [...route, "routes/account", "routes/wallet"],
  "routes/dashboard": route,
  "routes/traces": route,
  "routes/usage": route,
  routes: [...route, "routes/*"],
  compose: [
    ...["config", "dialects/*", "http/*", "lib", "metrics", "openapi"],
    ...["routes/*", "services/*", "stores", "telemetry"],
  ],
  ".": ["*"],
};

const client: FolderRules = {
  http: [],
  account: ["http"],
  asr: ["http"],
  tts: ["http"],
  live: ["http", "tts"],
  voices: ["account", "http"],
  traces: ["account", "http"],
  ".": ["*"],
};

const page = ["audio", "lib", "ui"];
const dashboard: FolderRules = {
  style: [],
  lib: [],
  ui: ["lib"],
  audio: ["lib", "ui"],
  "pages/account": page,
  "pages/keys": page,
  "pages/wallet": page,
  "pages/traces": page,
  "pages/transcribe": page,
  "pages/voices": page,
  "pages/admin": [...page, "pages/wallet"],
  "pages/live": [...page, "pages/voices"],
  "pages/speak": [...page, "pages/voices"],
  ".": ["*"],
};

/** The command line keeps what its commands share right below `src`; only the entry files import the commands. */
const cli: FolderRules = {
  lib: [],
  ".": ["commands", "lib"],
  say: [".", "lib"],
  doctor: [".", "lib", "say"],
  serve: [".", "lib"],
  trace: [".", "lib"],
  transcribe: [".", "lib", "say"],
  voices: [".", "lib"],
  commands: [".", "doctor", "lib", "say", "serve", "trace", "transcribe", "voices"],
};

export const folderRules: Readonly<Record<string, FolderRules>> = { protocol, speech, server, client, cli, dashboard };

/** Types and errors that every folder of a package may import. */
export const commonFiles: readonly string[] = [
  "packages/speech/src/errors.ts",
  "packages/speech/src/speech.ts",
  "packages/speech/src/transcript.ts",
];
