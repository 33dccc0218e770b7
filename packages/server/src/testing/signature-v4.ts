import { createHash, createHmac } from "node:crypto";

/** A request as a server sees it. Names of headers are lower-case. */
export interface SignedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The signature that a request should have, computed by the documentation of AWS. s3rver does not look at it. */
export function signatureOf(request: SignedRequest, secret: string): string {
  const { method, url, headers } = request;
  const [, scope = "", names = ""] =
    /Credential=[^/]+\/([^,]+), *SignedHeaders=([^,]+)/.exec(String(headers.authorization)) ?? [];
  const [path = "", query = ""] = url.split("?", 2);
  const canonical = [
    method,
    path,
    query.split("&").filter(Boolean).map(withValue).sort().join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, " ")}`),
    "",
    names,
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", String(headers["x-amz-date"]), scope, sha256(canonical)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  return hmac(key, text).toString("hex");
}

/** The signature that it has. */
export function givenSignature({ headers }: Pick<SignedRequest, "headers">): string | undefined {
  return /Signature=([0-9a-f]+)/.exec(String(headers.authorization))?.[1];
}

function withValue(pair: string): string {
  return pair.includes("=") ? pair : `${pair}=`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
