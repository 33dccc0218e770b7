import assert from "node:assert/strict";
import { it } from "node:test";
import { createTerminal } from "../terminal.ts";
import { startMessage } from "./start-message.ts";

const { style } = createTerminal({ NO_COLOR: "1" });
const message = (bootstrap: { freshKey: string | undefined; signInToken: string | undefined }): string =>
  startMessage(
    { url: "http://127.0.0.1:8080", bootstrap: { adminId: "1", warnings: [], ...bootstrap } },
    undefined,
    style,
  );

it("the first start prints a sign-in link, an API key, a first command and the larger recognizer", () => {
  const first = message({ freshKey: "key-1", signInToken: "token-1" });
  assert.match(first, /listens at http:\/\/127\.0\.0\.1:8080 /);
  assert.match(first, /http:\/\/127\.0\.0\.1:8080\/\S*token-1/);
  assert.match(first, /export PARLANCE_API_KEY=key-1/);
  assert.match(first, /curl --fail-with-body http:\/\/127\.0\.0\.1:8080\/v1\/tts/);
  assert.match(first, /PARLANCE_WHISPER=small/);
});

it("a later start prints the address alone", () => {
  const later = message({ freshKey: undefined, signInToken: undefined });
  assert.match(later, /listens at/);
  assert.doesNotMatch(later, /PARLANCE_API_KEY|PARLANCE_WHISPER|Sign in/);
});
