import { LIMITS } from "./limits.ts";

/** JSON that is larger in structure than any request needs to be. */
export class JsonBoundsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JsonBoundsError";
  }
}

export interface JsonBounds {
  /** Depth of nested containers. */
  readonly depth: number;
  /** Containers, strings, keys and literals. Each becomes an object or a string in memory. */
  readonly elements: number;
  /** Values in arrays and objects, numbers included: reference audio may be an array of integers. */
  readonly values: number;
  /** Escape sequences in strings, which are slow to decode. */
  readonly escapes: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** The first letters of `true`, `false` and `null`; none of them occurs inside another literal or a number. */
const LITERALS: readonly number[] = [0x74, 0x66, 0x6e];

/**
 * Counts the structure of a JSON text without building anything. A parser is linear in its input, but a few megabytes
 * of `{},` take it seconds and hundreds of megabytes. The text may arrive in pieces.
 */
export function createJsonBoundsCheck(bounds: JsonBounds = LIMITS.json): {
  push(bytes: Uint8Array): void;
  end(): void;
} {
  let [depth, elements, values, escapes] = [0, 0, 0, 0];
  let inString = false;
  let escaped = false;

  const exceeded = (what: string, limit: number): never => {
    throw new JsonBoundsError(`more than ${limit} ${what}`);
  };
  const addElement = (): void => {
    elements += 1;
    if (elements > bounds.elements) exceeded("elements", bounds.elements);
  };

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0;
        if (inString) {
          if (escaped) escaped = false;
          else if (byte === QUOTE) inString = false;
          else if (byte === BACKSLASH) {
            escaped = true;
            escapes += 1;
            if (escapes > bounds.escapes) exceeded("escape sequences", bounds.escapes);
          }
        } else if (byte === COMMA) {
          values += 1;
          if (values > bounds.values) exceeded("values", bounds.values);
        } else if (byte === QUOTE) {
          inString = true;
          addElement();
        } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
          depth += 1;
          if (depth > bounds.depth) exceeded("levels of nesting", bounds.depth);
          addElement();
        } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
        else if (LITERALS.includes(byte)) addElement();
      }
    },
    /** A text that ends inside a string or a container: the parser would search all of it for the place. */
    end() {
      if (inString || depth > 0) throw new JsonBoundsError("it ends too early");
    },
  };
}
