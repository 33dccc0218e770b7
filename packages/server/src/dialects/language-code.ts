/** ISO 639-1 for the codes that clients send: `eng` is `en`, and a region is kept. Others are returned as they are. */
export function languageCode(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  try {
    return new Intl.Locale(given.replaceAll("_", "-")).baseName;
  } catch {
    return given;
  }
}
