import { SIGN_IN_PATH } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { pagePolicy } from "../../http/headers.ts";
import { UNDOCUMENTED } from "../../openapi/route-docs.ts";

const SCRIPT_PATH = `${SIGN_IN_PATH}.js`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sign in · Parlance</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { display: grid; place-content: center; min-height: 100dvh; margin: 0; padding: 1rem; text-align: center; }
button { font: inherit; padding: .6em 1.6em; border-radius: .5em; cursor: pointer; }
</style>
</head>
<body>
<main>
<h1>Parlance</h1>
<p id="message" role="status">This link signs you in, once.</p>
<p><button id="go" type="button">Sign in</button></p>
<noscript>Signing in by a link needs JavaScript.</noscript>
</main>
<script src="${SCRIPT_PATH}"></script>
</body>
</html>
`;

/**
 * The token is used up by a press of the button. Whatever looks at links before people do — mail scanners, previews —
 * never sends the fragment, and does not press buttons.
 */
const SCRIPT = `"use strict";
const token = location.hash.slice(1);
const go = document.getElementById("go");
const message = document.getElementById("message");
if (token === "") {
  go.hidden = true;
  message.textContent = "This is not a whole sign-in link: what follows the # is missing.";
}
go.addEventListener("click", async () => {
  go.disabled = true;
  try {
    const response = await fetch("/account/sign-in-link", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
    if (response.ok) return location.replace("/");
    const { message: reason } = await response.json();
    message.textContent = reason;
    go.hidden = true;
  } catch {
    message.textContent = "The server cannot be reached. Try again.";
    go.disabled = false;
  }
});
`;

/** Where one-time links lead to. */
export function signInPage(app: FastifyInstance): void {
  app.get(SIGN_IN_PATH, UNDOCUMENTED, async (_request, reply) =>
    reply.header("content-security-policy", pagePolicy("'self'")).type("text/html; charset=utf-8").send(PAGE),
  );
  app.get(SCRIPT_PATH, UNDOCUMENTED, async (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").send(SCRIPT),
  );
}
