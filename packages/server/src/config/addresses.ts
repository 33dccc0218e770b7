import { isIP } from "node:net";
import { checkEmail } from "@parlance/protocol";
import { z } from "zod";

/** Where the service is reached from outside: scheme, host and port, no path. */
export const publicUrlSetting = z
  .string()
  .refine(isOrigin)
  .transform((value) => new URL(value).origin)
  .optional()
  .meta({ description: "an address without a path, such as https://voice.example.org" });

/** Whose word about the caller's address and scheme is taken. */
export const trustProxySetting = z
  .string()
  .transform((value) => value.split(",").map((each) => each.trim()))
  .refine((networks) => networks.every(isNetwork))
  .optional()
  .meta({ description: "addresses or networks of reverse proxies, such as loopback,10.0.0.0/8" });

/** Pages of which origins may read our answers. */
export const corsOriginsSetting = z
  .string()
  .transform((value) => value.split(",").map((each) => each.trim()))
  .refine((origins) => origins.join() === "*" || origins.every(isOrigin))
  .transform((origins) => origins.map((each) => (each === "*" ? each : new URL(each).origin)))
  .optional()
  .meta({ description: "origins, comma-separated, such as https://app.example.org, or * for all" });

export const emailSetting = z
  .string()
  .transform((value, context) => {
    try {
      return checkEmail(value);
    } catch {
      context.addIssue({ code: "custom", message: "no e-mail address" });
      return z.NEVER;
    }
  })
  .optional()
  .meta({ description: "an e-mail address" });

function isOrigin(value: string): boolean {
  try {
    const { protocol, pathname, search, hash, username } = new URL(value);
    return ["http:", "https:"].includes(protocol) && pathname === "/" && `${search}${hash}${username}` === "";
  } catch {
    return false;
  }
}

function isNetwork(value: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(value)) return true;
  const [address = "", bits, ...rest] = value.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
