/** The parts of the OpenAPI and AsyncAPI documents of the server that the page shows. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "header" | "query" | "path";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly group: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** The fields of the body; undefined: there is none. */
  readonly body: Schema | undefined;
  /** Whether the body may be JSON. Otherwise it is a form with a file. */
  readonly takesJson: boolean;
  /** Whether a successful response is audio or another file. */
  readonly givesFile: boolean;
}

export interface Socket {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly frames: readonly {
    readonly from: "client" | "server";
    readonly shape: string;
    readonly description: string;
  }[];
}

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly $ref: string };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}
export interface RawOpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly requestBodies: Readonly<
      Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
    >;
  };
}
export interface RawAsyncApi {
  readonly channels: Readonly<
    Record<
      string,
      { readonly address: string; readonly title: string; readonly description: string; readonly messages: object }
    >
  >;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly name: string; readonly summary: string; readonly payload: Schema }>
    >;
  };
}

export function operationsOf({ paths, components }: RawOpenApi): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const content = components.requestBodies[raw.requestBody?.$ref.split("/").at(-1) ?? ""]?.content;
      const success = Object.entries(raw.responses).find(([status]) => status.startsWith("2"))?.[1].content ?? {};
      const types = Object.keys(success);
      return {
        id: raw.operationId,
        method: method.toUpperCase(),
        path,
        group: raw.tags[0] ?? "",
        summary: raw.summary,
        description: raw.description ?? "",
        parameters: raw.parameters ?? [],
        body: Object.values(content ?? {})[0]?.schema,
        takesJson: content !== undefined && "application/json" in content,
        givesFile: types.length > 0 && !types.some((type) => /json|event-stream/.test(type)),
      };
    }),
  );
}

export function socketsOf({ channels, components }: RawAsyncApi): readonly Socket[] {
  return Object.entries(channels).map(([id, { address, title, description, messages }]) => ({
    id,
    path: address,
    summary: title,
    description,
    frames: Object.keys(messages).flatMap((name) => {
      const message = components.messages[name];
      if (message === undefined) return [];
      const { properties = {}, required = [] } = message.payload;
      const fields = Object.keys(properties).filter((field) => field !== "event");
      const shape = [
        `event: "${message.name}"`,
        ...fields.map((field) => (required.includes(field) ? field : `${field}?`)),
      ];
      const from = name.includes(".client.") ? ("client" as const) : ("server" as const);
      return [{ from, shape: `{${shape.join(", ")}}`, description: message.summary }];
    }),
  }));
}

/** A body to begin with: the required fields, or what is most often sent. */
export function exampleBody({ id, body }: Pick<Operation, "id" | "body">): Readonly<Record<string, unknown>> {
  const known = EXAMPLES[id];
  if (known !== undefined) return known;
  const names = body?.required ?? Object.keys(body?.properties ?? {}).slice(0, 1);
  return Object.fromEntries(names.map((name) => [name, exampleOf(name, body?.properties?.[name] ?? {})]));
}

/** The first field of a form that takes a file. */
export function fileField({ body }: Pick<Operation, "body">): string {
  const isFile = ({ format, items }: Schema): boolean => format === "binary" || items?.format === "binary";
  return Object.entries(body?.properties ?? {}).find(([, schema]) => isFile(schema))?.[0] ?? "audio";
}

const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createKey: { name: "kiosk", scopes: ["speak"], limits: { credits_per_day: 20_000 } },
  setPronunciations: { pronunciations: { GIF: "jiff" } },
};

function exampleOf(name: string, schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? [];
  if (first !== undefined) return exampleOf(name, first);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return TEXTS[name] ?? "…";
  }
}

const TEXTS: Readonly<Record<string, string>> = {
  text: "Hello from Parlance.",
  input: "Hello from Parlance.",
  model: "s2-pro",
  voice: "alloy",
  email: "ada@example.org",
  name: "kiosk",
};
