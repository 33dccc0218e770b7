import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { SIGN_IN_PATH } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { pagePolicy } from "../../http/headers.ts";
import { UNDOCUMENTED } from "../../openapi/route-docs.ts";
import { signInPage } from "./sign-in-page.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/**
 * Serves the built web app. Its few files are read once, each gets a route of its own and nothing else does:
 * there is no path for a request to climb out of. Without a build, `/` leads to the documentation, and one-time links to a
 * page that can do nothing else.
 */
export function dashboardRoutes(app: FastifyInstance, folder: string | undefined): void {
  if (folder === undefined || !existsSync(join(folder, "index.html"))) {
    app.get("/", UNDOCUMENTED, async (_request, reply) => reply.redirect("/docs", 302));
    signInPage(app);
    return;
  }
  for (const file of filesOf(folder)) {
    const bytes = readFileSync(join(folder, file));
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    // The build puts a hash of the content into the names under assets/.
    const caching = file.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    for (const path of file === "index.html" ? ["/", SIGN_IN_PATH] : [`/${file}`]) {
      app.get(path, UNDOCUMENTED, async (request, reply) => {
        reply.headers({ etag, "cache-control": caching });
        if (extname(file) === ".html") reply.header("content-security-policy", pagePolicy("'self'"));
        if (request.headers["if-none-match"] === etag) return reply.code(304).send();
        return reply.type(type).send(bytes);
      });
    }
  }
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
