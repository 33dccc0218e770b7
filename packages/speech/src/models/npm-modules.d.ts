// The parts of npm's modules that are used here; they have no types of their own.

declare module "@npmcli/config" {
  interface ConfigOptions {
    readonly npmPath: string;
    readonly definitions: unknown;
    readonly shorthands: unknown;
    readonly flatten: unknown;
    readonly argv: readonly string[];
    readonly env: NodeJS.ProcessEnv;
    readonly cwd: string;
    readonly warn: boolean;
  }
  export default class Config {
    constructor(options: ConfigOptions);
    load(): Promise<void>;
    readonly flat: Record<string, unknown>;
  }
}

declare module "@npmcli/config/lib/definitions/index.js" {
  const contents: {
    readonly definitions: { readonly registry: { readonly default: string } };
    readonly shorthands: unknown;
    readonly flatten: unknown;
  };
  export default contents;
}

declare module "npm-registry-fetch" {
  interface Response {
    readonly status: number;
    readonly headers: { get(name: string): string | null };
    readonly body: AsyncIterable<Uint8Array>;
    json(): Promise<unknown>;
  }
  function fetch(url: string, options: Record<string, unknown>): Promise<Response>;
  namespace fetch {
    function pickRegistry(spec: string, options: Record<string, unknown>): string;
  }
  export default fetch;
}
