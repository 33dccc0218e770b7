import { type AsrSegment, toSpokenText, toSrt, toVtt } from "@parlance/protocol";
import { saveFile } from "../../lib/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DOCX_TYPE, toDocx } from "./docx.ts";

interface TranscriptDownloadsProps {
  readonly name: string;
  readonly text: string;
  readonly segments: readonly AsrSegment[];
  readonly duration: number;
  readonly language: string | null;
}

export function TranscriptDownloads({ name, ...transcript }: TranscriptDownloadsProps) {
  const { text, segments } = transcript;
  const base = name.replace(/\.[^.]*$/, "") || "transcript";
  const spoken = toSpokenText(text, segments);
  const downloads = [
    ["txt", () => `${spoken}\n`, "text/plain"],
    ["srt", () => toSrt(segments), "application/x-subrip"],
    ["vtt", () => toVtt(segments), "text/vtt"],
    ["json", () => JSON.stringify(transcript, null, 2), "application/json"],
    ["docx", () => toDocx(base, text, segments), DOCX_TYPE],
  ] as const;
  return (
    <>
      <CopyButton text={spoken} label="Copy the text" />
      {downloads.map(([kind, write, type]) => (
        <Button key={kind} icon="download" onClick={() => saveFile(`${base}.${kind}`, write(), type)}>
          {kind}
        </Button>
      ))}
    </>
  );
}
