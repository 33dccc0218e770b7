import {
  HOSTILE_QUERIES,
  type HostileBody,
  JSON_BODIES,
  MESSAGE_PACK_BODIES,
  MULTIPART_BODIES,
  URL_ENCODED_BODIES,
} from "./hostile-bodies.ts";

/** A request to one of the server's routes with a hostile body or query. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly name: string;
  readonly type?: string;
  readonly body?: Buffer;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly requestBodies: Readonly<Record<string, Body>> };
}
interface Operation {
  readonly requestBody?: Body | { readonly $ref: string };
  readonly parameters?: readonly { readonly in?: string }[];
}
interface Body {
  readonly content: Readonly<Record<string, unknown>>;
}

const BODIES: Readonly<Record<string, readonly HostileBody[]>> = {
  // One kind of element for each field is enough here.
  "application/json": JSON_BODIES.filter(({ name }) => !/ of (""|null|\[\])$/.test(name)),
  "application/msgpack": MESSAGE_PACK_BODIES,
  "multipart/form-data": MULTIPART_BODIES,
  "application/x-www-form-urlencoded": URL_ENCODED_BODIES,
};

/** Every hostile body of `bytes` on every route that the server describes, so that new routes are attacked too. */
export async function describedRequests(url: string, bytes: number): Promise<readonly HostileRequest[]> {
  const response = await fetch(`${url}/openapi.json`);
  const { paths, components } = (await response.json()) as Description;
  const contentOf = (body: Operation["requestBody"]): Body["content"] => {
    if (body === undefined) return {};
    return "$ref" in body ? contentOf(components.requestBodies[body.$ref.split("/").at(-1) ?? ""]) : body.content;
  };
  return Object.entries(paths).flatMap(([template, operations]) => {
    const path = template.replaceAll(/\{[^}]*\}/g, "0".repeat(32));
    return Object.entries(operations).flatMap(([name, { requestBody, parameters = [] }]) => {
      const method = name.toUpperCase();
      const types = Object.keys(contentOf(requestBody));
      if (types.length === 0) {
        const queries = parameters.some((parameter) => parameter.in === "query")
          ? HOSTILE_QUERIES
          : HOSTILE_QUERIES.slice(0, 1);
        return queries.map((query) => ({ method, path: `${path}?${query.query}`, name: query.name }));
      }
      return types
        .flatMap((type) => BODIES[type] ?? [])
        .map((hostile) => ({ method, path, name: hostile.name, type: hostile.type, body: hostile.make(bytes) }));
    });
  });
}
