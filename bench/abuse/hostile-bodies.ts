/** Bodies that are cheap to send and may be expensive to read, each up to a number of bytes. */
export interface HostileBody {
  readonly name: string;
  readonly type: string;
  readonly make: (maxBytes: number) => Buffer;
}

const BOUNDARY = "parlance-attack";
const FORM = `multipart/form-data; boundary=${BOUNDARY}`;
const MESSAGE_PACK = "application/msgpack";

/** Fields that the API knows, so that their parsers are reached too. */
const ARRAY_FIELDS = ["references", "reference_id", "voices", "texts", "tags"] as const;

const repeat = (piece: string, maxBytes: number): string =>
  piece.repeat(Math.max(1, Math.floor(maxBytes / piece.length)));

function json(name: string, make: (maxBytes: number) => string): HostileBody {
  return { name: `json: ${name}`, type: "application/json", make: (maxBytes) => Buffer.from(make(maxBytes)) };
}

function fill(head: string, piece: string, tail: string, maxBytes: number): string {
  return head + repeat(piece, maxBytes - head.length - tail.length) + tail;
}

export const JSON_BODIES: readonly HostileBody[] = [
  json("array of empty objects", (max) => `${fill("[", "{},", "", max - 2)}0]`),
  json("many keys", (max) => {
    const keys: string[] = [];
    for (let bytes = 2, n = 0; bytes < max - 16; n += 1) {
      const key = `"k${n}":0`;
      keys.push(key);
      bytes += key.length + 1;
    }
    return `{${keys.join(",")}}`;
  }),
  json("deep nesting", (max) => `{"text":"a","references":${"[".repeat(max / 2 - 20)}${"]".repeat(max / 2 - 20)}}`),
  json("unfinished", (max) => fill('{"text":"', "a", "", max)),
  // Speech of it is pcm: the tone engine has no encoders.
  json(
    "integers",
    (max) => `${fill('{"text":"a","references":[{"text":"a","audio":[', "12,", "", Math.min(max, 6_000_000) - 8)}0]}]}`,
  ),
  json("fractions", (max) => `${fill('{"text":"a","references":[', "1.2345,", "", max - 8)}0]}`),
  json("characters of two bytes", (max) => fill('{"format":"pcm","text":"', "ж", '"}', max / 2)),
  json("escapes within the bound", (max) => fill('{"format":"pcm","text":"', `\\n${"a".repeat(78)}`, '"}', max)),
  json("escapes", (max) => fill('{"format":"pcm","text":"', "\\u0001", '"}', max)),
  ...ARRAY_FIELDS.flatMap((field) =>
    ["{}", '""', "null", "[]"].map((element) =>
      json(`${field} of ${element}`, (max) => `${fill(`{"text":"a","${field}":[`, `${element},`, "", max - 8)}0]}`),
    ),
  ),
];

/** Texts that are short on the wire and long to read out. */
export const TEXT_BODIES: readonly HostileBody[] = [
  "1,",
  "a.",
  "((",
  "<|speaker:1|>",
  "[break]",
  "<|phoneme_start|>",
  "$1.1-",
  "http://a.b/",
  "a@b.",
  "1/2 ",
  "M.",
  "\u0301",
  "\u{1F468}\u200D",
  "字",
  "½",
  "〜",
  "!",
  "1x",
].map((piece) => ({
  name: `text of ${JSON.stringify(piece)}`,
  type: "application/json",
  make: () =>
    Buffer.from(JSON.stringify({ text: piece.repeat(Math.floor(30_000 / [...piece].length)), format: "pcm" })),
}));

function pack(name: string, make: (maxBytes: number) => Buffer): HostileBody {
  return { name: `msgpack: ${name}`, type: MESSAGE_PACK, make };
}

/** {"text": "a", [field]: <what follows>} */
const mapWith = (field: string, rest: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0x82, 0xa4]),
    Buffer.from("text"),
    Buffer.from([0xa1, 0x61, 0xa0 + field.length]),
    Buffer.from(field),
    rest,
  ]);

function header32(code: number, count: number): Buffer {
  const header = Buffer.alloc(5);
  header[0] = code;
  header.writeUInt32BE(count, 1);
  return header;
}

export const MESSAGE_PACK_BODIES: readonly HostileBody[] = [
  pack("array that claims 4 billion elements", () => mapWith("references", header32(0xdd, 0xffff_ffff))),
  pack("map that claims 4 billion keys", () => header32(0xdf, 0xffff_ffff)),
  pack("bytes that claim 4 GB", () => mapWith("references", header32(0xc6, 0xffff_ffff))),
  pack("deep nesting", (max) => mapWith("references", Buffer.alloc(max - 32, 0x91))),
  pack("many nils", (max) =>
    mapWith("references", Buffer.concat([header32(0xdd, max - 64), Buffer.alloc(max - 64, 0xc0)])),
  ),
  pack("many empty maps", (max) =>
    mapWith("references", Buffer.concat([header32(0xdd, max - 64), Buffer.alloc(max - 64, 0x80)])),
  ),
  pack("many empty strings in a map", (max) => {
    const count = Math.floor((max - 64) / 2);
    return Buffer.concat([header32(0xdf, count), Buffer.alloc(count * 2, 0xa0)]);
  }),
];

function form(name: string, make: (maxBytes: number) => string): HostileBody {
  return { name: `multipart: ${name}`, type: FORM, make: (maxBytes) => Buffer.from(make(maxBytes), "latin1") };
}

const END = `--${BOUNDARY}--\r\n`;
const part = (disposition: string, value = ""): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data${disposition}\r\n\r\n${value}\r\n`;

export const MULTIPART_BODIES: readonly HostileBody[] = [
  form("many empty fields", (max) => fill("", part('; name="a"'), END, max)),
  form("many tags", (max) => fill("", part('; name="tags"', "a"), END, max)),
  form("many empty files", (max) => fill("", part('; name="voices"; filename="a"'), END, max)),
  form("parts without a name", (max) => fill("", part(""), END, max)),
  form("part with many parameters", (max) => part(repeat('; a="b"', max - 200)) + END),
  form("many boundaries", (max) => fill("", `--${BOUNDARY}\r\n`, END, max)),
  form("part that never ends", (max) =>
    fill(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n`, "a", "", max),
  ),
];

function urlEncoded(name: string, make: (maxBytes: number) => string): HostileBody {
  return {
    name: `urlencoded: ${name}`,
    type: "application/x-www-form-urlencoded",
    make: (maxBytes) => Buffer.from(make(maxBytes)),
  };
}

function numbered(maxBytes: number, pair: (n: number) => string): string {
  const pairs: string[] = [];
  for (let bytes = 0, n = 0; bytes < maxBytes - 16; n += 1) {
    pairs.push(pair(n));
    bytes += pair(n).length + 1;
  }
  return pairs.join("&");
}

export const URL_ENCODED_BODIES: readonly HostileBody[] = [
  urlEncoded("one name many times", (max) => repeat("a&", max)),
  urlEncoded("tags many times", (max) => repeat("tags=a&", max)),
  urlEncoded("numbered names", (max) => numbered(max, (n) => `a[${n}]`)),
  urlEncoded("different names", (max) => numbered(max, (n) => `k${n}=`)),
  urlEncoded("percent signs", (max) => repeat("%41", max)),
];

/** Query strings; the head of a request is at most 16 KiB. */
export const HOSTILE_QUERIES: readonly { readonly name: string; readonly query: string }[] = [
  { name: "one name many times", query: repeat("a&", 15_000) },
  { name: "tags many times", query: repeat("tag=a&", 15_000) },
  { name: "numbered names", query: numbered(15_000, (n) => `a[${n}]`) },
  { name: "brackets", query: repeat("tag[]=&", 15_000) },
  { name: "commas", query: `tag=${repeat("a,", 15_000)}` },
];
