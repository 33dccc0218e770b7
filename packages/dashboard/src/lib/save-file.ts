/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content;
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser has taken it by then, however slow it is.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
