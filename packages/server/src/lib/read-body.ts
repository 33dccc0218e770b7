/** The body of a response. Undefined when it is larger than this; the rest is not read then. */
export async function readBody({ body }: Pick<Response, "body">, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
