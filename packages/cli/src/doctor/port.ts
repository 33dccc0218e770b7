import { createServer } from "node:net";
import { type Finding, fail, note, ok } from "./check.ts";

export async function checkPort(host: string, port: number): Promise<Finding> {
  if (port === 0) return ok("port", "the server takes a free port");
  const target = `port ${port} of ${host}`;
  const code = await tryToListen(host, port);
  if (code === undefined) return ok("port", `${target} is free`);
  if (code === "EADDRINUSE" && (await isParlance(host, port)))
    return note("port", `${target} is in use by a Parlance server`, "Choose another port to start a second server.");
  if (code === "EADDRINUSE")
    return fail("port", `${target} is in use by another program`, `Choose another: parlance serve --port ${port + 1}`);
  return fail(
    "port",
    `cannot listen on ${target} (${code})`,
    "Set PARLANCE_HOST and PARLANCE_PORT to an address and port that this user may use.",
  );
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function isParlance(host: string, port: number): Promise<boolean> {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  try {
    const response = await fetch(`http://${name}:${port}/openapi.json`, { signal: AbortSignal.timeout(3000) });
    return /parlance/i.test(await response.text());
  } catch {
    return false;
  }
}
