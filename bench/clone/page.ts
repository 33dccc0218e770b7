/** A recording to play: its file relative to the page, what is said, and what was measured. */
export interface PageClip {
  readonly title: string;
  readonly file: string;
  readonly text: string;
  readonly figures: string;
}

export interface PageSpeaker {
  readonly name: string;
  /** Below the name; may be empty. */
  readonly note: string;
  /** Clips of one row are compared with each other. */
  readonly rows: readonly (readonly PageClip[])[];
}

type Row = Readonly<Record<string, string | number>>;

const STYLE = `
body { font: 16px/1.4 system-ui; margin: 2rem auto; max-width: 80rem; padding: 0 1rem }
.clips { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)) }
.clips + .clips { margin-top: 1rem }
figure { margin: 0 }
audio { display: block; margin: .25rem 0; width: 100% }
.figures { color: #555; font-size: .875rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-size: .875rem }
td, th { border-bottom: 1px solid #ccc; padding: .25rem .75rem .25rem 0; text-align: left }
`;

/** A page that plays originals and clones, below the figures of each language. */
export function pageOf(speakers: readonly PageSpeaker[], summary: readonly Row[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Cloned voices</title>
<style>${STYLE}</style>
<h1>Cloned voices</h1>
<p>Each clone was made from other recordings of the speaker than the original here. Cosines are those of x-vectors, and of an evaluation network; 1 is identical. Misheard: words that a recognizer wrote down wrongly; in Hindi, Japanese and Chinese, characters.</p>
<h2>Figures</h2>
<div class="scroll">${tableOf(summary)}</div>
${speakers.map(sectionOf).join("\n")}
</html>
`;
}

function tableOf(rows: readonly Row[]): string {
  // Rows of refined voices have more columns.
  const heads = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cellsOf = (row: Row) => heads.map((head) => row[head] ?? "");
  const line = (tag: string, cells: readonly unknown[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(String(cell))}</${tag}>`).join("")}</tr>`;
  return `<table>
${line("th", heads)}
${rows.map((row) => line("td", cellsOf(row))).join("\n")}
</table>`;
}

function sectionOf({ name, note, rows }: PageSpeaker): string {
  return `<h2>${escaped(name)}</h2>${note === "" ? "" : `\n<p>${escaped(note)}</p>`}
${rows.map(clipsOf).join("\n")}`;
}

const clipsOf = (clips: readonly PageClip[]): string => `<div class="clips">
${clips.map(figureOf).join("\n")}
</div>`;

const figureOf = ({ title, file, text, figures }: PageClip): string =>
  `<figure><strong>${escaped(title)}</strong>
<audio controls preload="metadata" src="${escaped(encodeURI(file))}"></audio>
<figcaption>${escaped(text)}<div class="figures">${escaped(figures)}</div></figcaption></figure>`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
