import { Parlance } from "@parlance/client";
import { UsageError } from "../errors.ts";

export interface ServerOptions {
  readonly server?: string;
  readonly key?: string;
}

/** A client of the server from --server or PARLANCE_URL, if there is one. */
export function findServer(options: ServerOptions, environment: NodeJS.ProcessEnv): Parlance | undefined {
  const baseUrl = options.server ?? (environment.PARLANCE_URL || undefined);
  if (baseUrl === undefined) return undefined;
  if (!/^https?:\/\/./.test(baseUrl)) throw new UsageError(`"${baseUrl}" is not the address of a server: http://…`);
  return new Parlance({
    baseUrl,
    apiKey: options.key ?? (environment.PARLANCE_API_KEY || undefined),
    timeoutMs: 300_000,
  });
}

/** The same, for commands that need a server. */
export function requireServer(options: ServerOptions, environment: NodeJS.ProcessEnv): Parlance {
  const server = findServer(options, environment);
  if (server) return server;
  throw new UsageError("cloned voices are stored on a server: name it with --server or PARLANCE_URL");
}
