/** Whether a text is meant to be SSML: it begins with `<speak>`. */
export function looksLikeSsml(text: string): boolean {
  return /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?<speak[\s>/]/.test(text.slice(0, 1000));
}
