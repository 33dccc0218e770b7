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
  tts: ["accounts", "voices", "wire"],
  ssml: ["tts", "wire"],
  asr: ["wire"],
  history: ["accounts", "tts"],
  live: ["tts", "wire"],
  traces: ["billing"],
  ".": ["*"],
};

const loaded = ["audio", "engines", "engines/onnx", "lib"];
const speech: FolderRules = {
  lib: [],
  text: ["text/*", "lib"],
  "text/detection": ["text"],
  "text/rules": ["text"],
  "text/english": ["text", "text/rules"],
  "text/spanish": ["text", "text/rules"],
  "text/portuguese": ["text", "text/rules"],
  "text/french": ["text", "text/rules"],
  "text/italian": ["text", "text/rules"],
  "text/german": ["text", "text/rules"],
  "text/hindi": ["text", "text/rules"],
  "text/indonesian": ["text", "text/rules"],
  "text/cjk": ["text", "text/english", "text/rules"],
  "text/japanese": ["text", "text/cjk", "text/rules"],
  "text/chinese": ["text", "text/cjk", "text/rules"],
  audio: ["audio/encode", "lib", "text"],
  "audio/encode": ["audio", "lib"],
  "audio/decode": ["lib"],
  "audio/archive": ["audio", "audio/decode", "audio/encode"],
  image: ["audio/decode", "lib"],
  models: ["lib"],
  g2p: ["lib", "text"],
  "g2p/chinese": ["g2p", "text/chinese"],
  "g2p/english": ["g2p", "lib", "text"],
  "g2p/japanese": ["g2p", "text/japanese"],
  "engines/onnx": ["lib"],
  "engines/attention": ["engines", "engines/onnx", "lib"],
  "engines/kokoro": [...loaded, "engines/kokoro/student", "g2p", "g2p/*", "models", "text"],
  "engines/kokoro/student": ["audio", "engines", "lib"],
  "engines/piper": [...loaded, "g2p", "models"],
  "engines/moonshine": [...loaded, "engines/attention", "models"],
  "engines/silero": [...loaded, "models"],
  "engines/whisper": [...loaded, "engines/attention", "models"],
  engines: ["engines/*", "g2p", "lib", "models", "text"],
  pool: ["engines", "lib", "text"],
  "pool/admission": ["engines", "lib", "pool", "text"],
  "pool/remote": ["audio/decode", "engines", "lib", "pool", "pool/admission"],
  voices: ["engines"],
  synthesis: ["audio", "engines", "lib", "models", "pool/*", "text", "voices"],
  recognition: [
    "audio/*",
    "engines",
    "engines/attention",
    "engines/silero",
    "lib",
    "models",
    "pool/*",
    "recognition/live",
  ],
  "recognition/live": ["audio", "engines", "engines/attention", "engines/silero", "lib", "recognition"],
  "voices/design": ["engines", "lib"],
  "voices/clone/xvector": ["audio", "engines", "engines/onnx", "lib", "models"],
  "voices/clone": [
    ...["audio/*", "engines", "engines/silero", "lib", "models", "pool/*", "recognition"],
    ...["synthesis", "text", "voices/clone/xvector"],
  ],
  worker: [
    ...["audio/decode", "engines", "engines/silero", "lib", "models", "pool/*"],
    ...["recognition", "voices/clone", "voices/clone/xvector"],
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
  "services/audit": services,
  "services/identity": services,
  "services/cluster": [...services, "services/identity"],
  "services/limits": [...services, "services/identity"],
  "services/billing": [...services, "services/cluster", "services/identity"],
  "services/usage": services,
  "services/uploads": services,
  "services/history": [...services, "services/identity", "services/uploads"],
  "services/voices": [...services, "services/cluster", "services/identity", "services/uploads"],
  "services/speech": [
    ...services,
    "services/billing",
    "services/identity",
    "services/limits",
    "services/uploads",
    "services/voices",
  ],
  "services/conversation": services,
  "services/health": [...services, "services/cluster", "services/identity", "services/speech"],
  http: ["config", "lib", "services/*", "stores", "telemetry"],
  "http/uploads": ["config", "http", "lib", "services/uploads", "telemetry"],
  metrics: ["config", "http", "lib", "services/*", "telemetry"],
  openapi: ["lib"],
  "dialects/fish/tts": [...dialect, "dialects"],
  "dialects/fish/voice-design": [...dialect, "dialects"],
  "dialects/fish/live": dialect,
  "dialects/listening": [...dialect, "dialects/fish/live"],
  "dialects/fish/listen": [...dialect, "dialects/fish/live", "dialects/listening"],
  "dialects/fish/asr": [...dialect, "dialects"],
  "dialects/fish/model": dialect,
  "dialects/fish": [...dialect, "dialects", "dialects/fish/*"],
  "dialects/openai": [...dialect, "dialects"],
  "dialects/openai/live": [...dialect, "dialects", "dialects/fish/live", "dialects/listening", "dialects/openai"],
  "dialects/openai/conversation": [
    ...[...dialect, "dialects", "dialects/fish/live", "dialects/listening"],
    ...["dialects/openai", "dialects/openai/live"],
  ],
  "dialects/deepgram/live": [...dialect, "dialects", "dialects/deepgram", "dialects/fish/live", "dialects/listening"],
  "dialects/elevenlabs/listen": [
    ...[...dialect, "dialects", "dialects/elevenlabs"],
    ...["dialects/fish/live", "dialects/listening"],
  ],
  "dialects/elevenlabs/live": [...dialect, "dialects", "dialects/elevenlabs", "dialects/fish/live"],
  "dialects/elevenlabs": [...dialect, "dialects"],
  "dialects/deepgram": [...dialect, "dialects"],
  "dialects/mcp": dialect,
  "dialects/wyoming": [...dialect, "dialects/fish/live"],
  dialects: [...dialect, "dialects/*"],
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
  tts: ["http"],
  live: ["http", "tts"],
  listen: ["http", "live"],
  asr: ["http", "listen"],
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
  "pages/history": [...page, "pages/transcribe"],
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
  listen: [".", "lib", "transcribe"],
  voices: [".", "lib"],
  mcp: [".", "lib", "voices"],
  completion: ["."],
  keys: ["."],
  commands: [
    ".",
    "completion",
    "doctor",
    "keys",
    "lib",
    "listen",
    "mcp",
    "say",
    "serve",
    "trace",
    "transcribe",
    "voices",
  ],
};

export const folderRules: Readonly<Record<string, FolderRules>> = { protocol, speech, server, client, cli, dashboard };

/** Types and errors that every folder of a package may import. */
export const commonFiles: readonly string[] = [
  "packages/speech/src/errors.ts",
  "packages/speech/src/listening.ts",
  "packages/speech/src/speech.ts",
  "packages/speech/src/transcript.ts",
];
