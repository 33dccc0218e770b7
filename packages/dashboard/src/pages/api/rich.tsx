/** Text with `code` in back quotes. */
export function Rich({ text }: { readonly text: string }) {
  const parts = text.split("`").map((part, index) => ({ part, isCode: index % 2 === 1, at: `${index}${part}` }));
  return parts.map(({ part, isCode, at }) => (isCode ? <code key={at}>{part}</code> : <span key={at}>{part}</span>));
}
