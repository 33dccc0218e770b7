const WORDS: Readonly<Record<string, string>> = {
  cut: "cut off: the caller did not wait for the end",
  internal: "a fault of the server, which is in its log",
};

/** What a span says went wrong, in words: it holds a code, because messages may quote what was sent. */
export function spanErrorInWords(error: string): string {
  return WORDS[error] ?? error.replaceAll("_", " ");
}
