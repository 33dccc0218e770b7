import type { IncomingMessage } from "node:http";
import { apiError, type KeyScope } from "@parlance/protocol";
import { collapseSlashes } from "./paths.ts";

interface ScopeRule {
  /** The path, or what it starts with. */
  readonly path: string;
  readonly needs: readonly KeyScope[];
  /** Whether every key may read it. */
  readonly isReadable?: true;
}

/** What a path needs. One that is not listed needs a key without scopes, so that a new route is closed at first. */
const RULES: readonly ScopeRule[] = [
  { path: "/v1/tts", needs: ["speak"] },
  { path: "/v1/voice-design", needs: ["speak"] },
  { path: "/v1/text-to-speech", needs: ["speak"] },
  { path: "/v1/audio/speech", needs: ["speak"] },
  { path: "/projects", needs: ["speak"] },
  { path: "/v1/asr", needs: ["listen"] },
  { path: "/v1/listen", needs: ["listen"] },
  { path: "/v1/speech-to-text", needs: ["listen"] },
  { path: "/v1/audio/transcriptions", needs: ["listen"] },
  { path: "/v1/audio/translations", needs: ["listen"] },
  { path: "/v1/realtime", needs: ["listen", "speak"] },
  { path: "/mcp", needs: ["speak", "listen"] },
  { path: "/model", needs: ["voices"], isReadable: true },
  { path: "/v1/voices", needs: ["voices"], isReadable: true },
  { path: "/v1/audio/voices", needs: ["voices"], isReadable: true },
  { path: "/v1/audio/models", needs: ["voices"], isReadable: true },
  { path: "/v1/models", needs: ["voices"], isReadable: true },
  { path: "/account", needs: ["account"] },
  { path: "/wallet", needs: ["account"] },
  { path: "/admin", needs: ["admin"] },
  { path: "/metrics", needs: ["admin"] },
];

/** Throws the 403 for a key that may not be used for this request. `scopes` undefined: it may be used for everything. */
export function assertScope(
  scopes: readonly KeyScope[] | undefined,
  { url = "", method = "GET" }: Pick<IncomingMessage, "url" | "method">,
): void {
  if (scopes === undefined) return;
  const [path = ""] = collapseSlashes(url).split("?", 1);
  const rule = RULES.find((each) => path === each.path || path.startsWith(`${each.path}/`));
  if (rule?.isReadable && (method === "GET" || method === "HEAD")) return;
  const missing = rule === undefined ? "of a key without limits" : rule.needs.find((scope) => !scopes.includes(scope));
  if (missing !== undefined) throw apiError("scope_missing", { scope: missing });
}
