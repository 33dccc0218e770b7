import { Parlance } from "@parlance/client";
import { UsageError } from "../errors.ts";

export interface ServerOptions {
  readonly server?: string;
  readonly key?: string;
}

/** The server that was named, if any: by the option, or by the environment. */
export function findServer(options: ServerOptions, environment: NodeJS.ProcessEnv): Parlance | undefined {
  const baseUrl = options.server ?? (environment.PARLANCE_URL || undefined);
  if (baseUrl === undefined) return undefined;
  if (!/^https?:\/\/./.test(baseUrl)) throw new UsageError(`"${baseUrl}" is no address of a server: http://…`);
  return new Parlance({
    baseUrl,
    apiKey: options.key ?? (environment.PARLANCE_API_KEY || undefined),
    timeoutMs: 300_000,
  });
}

/** People's voices are kept by a server. */
export function needServer(options: ServerOptions, environment: NodeJS.ProcessEnv): Parlance {
  const server = findServer(options, environment);
  if (server) return server;
  throw new UsageError("voices of your own are kept by a server: name it with --server or PARLANCE_URL");
}
