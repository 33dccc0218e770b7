/** A speaker on the page: files relative to it, and what was measured of them. */
export interface PageSpeaker {
  readonly name: string;
  readonly original: string;
  readonly voices: readonly {
    readonly language: string;
    readonly file: string;
    readonly figures: string;
  }[];
}

/** A page that plays originals and clones. */
export function pageOf(speakers: readonly PageSpeaker[], summary: string): string {
  const player = (file: string) => `<audio controls preload="none" src="${escaped(file)}"></audio>`;
  const languages = [...new Set(speakers.flatMap(({ voices }) => voices.map(({ language }) => language)))];
  const rows = speakers.map(({ name, original, voices }) => {
    const cells = languages.map((language) => {
      const voice = voices.find((each) => each.language === language);
      return voice ? `<td>${player(voice.file)}<br>${escaped(voice.figures)}</td>` : "<td></td>";
    });
    return `<tr><th scope="row">${escaped(name)}</th><td>${player(original)}</td>${cells.join("")}</tr>`;
  });
  const heads = ["speaker", "original", ...languages.map((language) => `clone: ${language}`)];
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Cloned voices</title>
<style>body{font:16px system-ui;margin:2rem}td,th{padding:.5rem;text-align:left}audio{width:15rem}pre{white-space:pre-wrap}</style>
<h1>Cloned voices</h1>
<p>Each clone was made from other recordings than the original here. Below each: cosine to the speaker by the x-vector and by the second speaker network, word error rate.</p>
<table><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr>
${rows.join("\n")}
</table>
<pre>${escaped(summary)}</pre>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
