import { signInLink } from "@parlance/protocol";
import type { RunningServer } from "@parlance/server";
import type { Style } from "../terminal.ts";

/** What a start prints. It is one piece, so that a script that waits for the address finds link and key beside it. */
export function startMessage(
  { url, bootstrap: { freshKey, signInToken } }: Pick<RunningServer, "url" | "bootstrap">,
  publicUrl: string | undefined,
  style: Style,
): string {
  const parts = [`${style.green("✓")} Parlance listens at ${style.bold(url)} (API documentation: ${url}/docs)`];
  if (signInToken !== undefined) {
    parts.push(`
Sign in to the dashboard with this link. It works once, within 24 hours; parlance users link creates another:

  ${style.bold(signInLink(publicUrl ?? url, signInToken))}`);
  }
  if (freshKey !== undefined) {
    parts.push(`
Your API key. It is shown only now; the server stores its hash:

  export PARLANCE_API_KEY=${style.bold(freshKey)}

Then, for a first sound:

  curl --fail-with-body ${url}/v1/tts -H "Authorization: Bearer $PARLANCE_API_KEY" -H "model: s2-pro" \\
    -H "Content-Type: application/json" -d '{"text": "Hello! This voice runs on my own machine."}' -o hello.mp3

Speech to text in languages other than English is more accurate with PARLANCE_WHISPER=small (166 MB more to fetch).
`);
  }
  return parts.join("\n");
}
