/** Some clients join base address and path with two slashes; `//v1//tts?x=//` means `/v1/tts?x=//`. */
export function collapseSlashes(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return path.replace(/\/{2,}/g, "/") + (query === -1 ? "" : url.slice(query));
}
