import { isIP } from "node:net";
import { resolve } from "node:path";
import { checkEmail } from "@parlance/protocol";
import type { z } from "zod";
import type { ValueType } from "./setting.ts";

/** A type whose values are the texts that pass a test. */
function textWhere(allowed: string, isAllowed: (text: string) => boolean): ValueType<string> {
  return {
    allowed,
    parse(text) {
      if (!isAllowed(text)) throw new TypeError(allowed);
      return text;
    },
  };
}

export const hostName = textWhere("a host name or address to listen on", (text) => text !== "");
export const filePath = textWhere("a file", (text) => text !== "");
export const accountName = textWhere("the e-mail address or id of an account, or admin", (text) =>
  /^(admin|[0-9a-f]{32}|\S+@\S+)$/i.test(text),
);
export const anyText = textWhere("any text", () => true);
export const apiKey = textWhere("16 to 512 printable ASCII characters without spaces", (text) =>
  /^[\x21-\x7e]{16,512}$/.test(text),
);
export const password = textWhere("8 to 512 characters", (text) => text.length >= 8 && text.length <= 512);
export const postgresUrl = textWhere("an address such as postgres://user:password@host/database", (text) =>
  /^postgres(ql)?:\/\/\S+$/.test(text),
);
export const natsUrl = textWhere("an address such as nats://user:password@host:4222", (text) =>
  /^(nats|tls):\/\/\S+$/.test(text),
);
export const shortText = textWhere("1 to 500 characters", (text) => text.length <= 500 && text.trim() !== "");
/** An address with its path. Plain http only on this machine, where tests run. */
export const issuer = textWhere(
  "an address such as https://login.example.org",
  (text) => URL.canParse(text) && /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$))/.test(text),
);
export const domains: ValueType<readonly string[]> = {
  allowed: "domains, comma-separated, such as example.org,example.com",
  parse(text) {
    const list = listOf(text.toLowerCase());
    if (!list.every((each) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(each))) throw new TypeError(text);
    return list;
  },
};
/** Where requests are sent to. */
export const httpUrl = textWhere("an address such as https://host/v1, without user name and query", (text) => {
  const { protocol, search, hash, username } = new URL(text);
  return ["http:", "https:"].includes(protocol) && `${search}${hash}${username}` === "";
});
export const bearerToken = textWhere("1 to 4096 printable ASCII characters without spaces", (text) =>
  /^[\x21-\x7e]{1,4096}$/.test(text),
);
export const email: ValueType<string> = { allowed: "an e-mail address", parse: checkEmail };
export const folder: ValueType<string> = { allowed: "a folder", parse: (text) => resolve(text) };

export function integer(min: number, max: number): ValueType<number> {
  const allowed = `an integer from ${min} to ${max}`;
  return {
    allowed,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (!(value >= min && value <= max)) throw new TypeError(allowed);
      return value;
    },
  };
}

export const ratio: ValueType<number> = {
  allowed: "a number from 0 to 1",
  parse(text) {
    const value = Number(text);
    if (!(value >= 0 && value <= 1)) throw new TypeError(text);
    return value;
  },
};

export function oneOf<const Value extends string>(values: readonly Value[]): ValueType<Value> {
  const allowed = `one of ${values.join(", ")}`;
  return {
    allowed,
    parse(text) {
      const found = values.find((value) => value === text);
      if (found === undefined) throw new TypeError(allowed);
      return found;
    },
  };
}

/** JSON that the schema accepts, turned into the value that is used. */
export function json<Parsed, Value>(
  schema: z.ZodType<Parsed>,
  allowed: string,
  convert: (parsed: Parsed) => Value,
): ValueType<Value> {
  return { allowed, parse: (text) => convert(schema.parse(JSON.parse(text))) };
}

/** Scheme, host and port. */
export const origin: ValueType<string> = {
  allowed: "an address without a path, such as https://voice.example.org",
  parse: parseOrigin,
};

export const origins: ValueType<readonly string[]> = {
  allowed: "origins, comma-separated, such as https://app.example.org, or * for all",
  parse: (text) => (text.trim() === "*" ? ["*"] : listOf(text).map(parseOrigin)),
};

export const networks: ValueType<readonly string[]> = {
  allowed: "addresses or networks of reverse proxies, such as loopback,10.0.0.0/8",
  parse(text) {
    const list = listOf(text);
    if (!list.every(isNetwork)) throw new TypeError(text);
    return list;
  },
};

function listOf(text: string): readonly string[] {
  return text.split(",").map((each) => each.trim());
}

function parseOrigin(text: string): string {
  const { protocol, pathname, search, hash, username, origin: parsed } = new URL(text);
  const isPlain = ["http:", "https:"].includes(protocol) && pathname === "/" && `${search}${hash}${username}` === "";
  if (!isPlain) throw new TypeError(text);
  return parsed;
}

function isNetwork(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
