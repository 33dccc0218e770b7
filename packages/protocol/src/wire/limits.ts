/** Limits of the protocol. Those that an operator may change are defaults here and settings in the server. */
export const LIMITS = {
  /** Characters (Unicode code points) in the text of one synthesis request. Configurable. */
  textCharacters: 30_000,
  /** A synthesis request: text and options, and room for a little reference audio. */
  ttsBodyBytes: 16 * 1024 * 1024,
  /** A frame on the live socket, in either direction. */
  liveFrameBytes: 1024 * 1024,
  /** A `start` frame, which may contain reference audio. */
  liveStartBytes: 16 * 1024 * 1024,
  /** A message on a socket. Some clients write fragments of 4 KiB. Thousands that are smaller take long to read. */
  messageFragments: 1024,
  /** Voices that one text may switch between. */
  speakers: 32,
  /** One recording to transcribe. "20 MB" in its larger reading, so that clients with either reading are accepted. */
  asrFileBytes: 20 * 1024 * 1024,
  /** The whole body: the recording, the fields and what the encoding adds. */
  asrBodyBytes: 21 * 1024 * 1024,
  /** Minimum and maximum length of a recording. */
  asrSeconds: { min: 1, max: 3600 },
  /** Length of a live stream of audio: four hours. */
  listenSeconds: 4 * 3600,
  /** Words that a request for a transcript may name, and the characters of each. */
  asrKeywords: { count: 100, characters: 64 },
  /** Speakers of one recording, and known voices that it is compared with. */
  asrSpeakers: { count: 32, known: 16 },
  /** Recordings of known speakers that come with a request: how many, and the bytes of each as a data URL. */
  asrReferences: { count: 4, bytes: 4 * 1024 * 1024 },
  /** Depth of nested containers in a MessagePack body. No request needs more than four. */
  messagePackDepth: 16,
  /** Values in a MessagePack body, keys included. */
  messagePackElements: 10_000,
  /** The structure of a JSON body. Two million numbers are reference audio that is written as an array of integers. */
  json: { depth: 32, elements: 10_000, values: 2_000_000, escapes: 200_000 },
  /** An SSML document. Its text has the limit of a request besides. */
  ssml: { bytes: 1024 * 1024, depth: 32, elements: 10_000, attributes: 16, listedIgnored: 20 },
  /** Issues that a 422 lists; a body of many small elements could have thousands. */
  listedIssues: 20,
} as const;

/** Counts code points, not UTF-16 units: an emoji is one character for its user. */
export function countCharacters(text: string): number {
  // Much faster than the loop, which takes tens of milliseconds for the longest texts that a body can hold.
  if (!/[\ud800-\udfff]/.test(text)) return text.length;
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i += 1;
    count += 1;
  }
  return count;
}
