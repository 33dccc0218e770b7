import { shapeError } from "./api-error.ts";

/** The fields of a form or a query. */
export interface FieldCollector {
  /** A field that was given several times is an array. */
  readonly fields: Record<string, unknown>;
  /** Throws the 422 when there are too many. */
  add(name: string, value: string): void;
}

/** More than any request needs. */
export const MAX_FORM_FIELDS = 1000;

export function createFieldCollector(where: "body" | "query"): FieldCollector {
  // Without a prototype: the names come from the client.
  const fields: Record<string, string | string[]> = Object.create(null);
  let count = 0;
  return {
    fields,
    add(given, value) {
      count += 1;
      if (count > MAX_FORM_FIELDS) {
        const msg = `At most ${MAX_FORM_FIELDS} fields are allowed`;
        throw shapeError([{ loc: [where], type: "too_many", msg, in: where }]);
      }
      const name = plainFieldName(given);
      const present = fields[name];
      if (present === undefined) fields[name] = value;
      else if (typeof present === "string") fields[name] = [present, value];
      else present.push(value);
    },
  };
}

/** Some clients number a repeated field: `tags[0]`, `tags[]`. Both mean `tags`. */
export function plainFieldName(name: string): string {
  return name.replace(/\[\d*\]$/, "");
}
