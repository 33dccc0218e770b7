import type { Transcript as Result } from "@parlance/client";
import { RecordedText } from "../../audio/recorded-text.tsx";
import { formatClock } from "../../lib/format.ts";
import { TraceLink } from "../../ui/trace-link.tsx";
import { TranscriptDownloads } from "./transcript-downloads.tsx";

interface TranscriptProps {
  readonly file: File;
  readonly result: Result;
  readonly traceId: string | undefined;
}

/** A transcript with its recording. */
export function Transcript({ file, result, traceId }: TranscriptProps) {
  const { text, segments, duration, language } = result;
  return (
    <section className="card stack" aria-label="Transcript">
      <div className="row apart">
        <h2 className="cut">{file.name}</h2>
        <span className="soft number">
          {formatClock(duration)} · {language ?? "no speech"}
        </span>
      </div>
      <RecordedText recording={file} text={text} words={segments} />
      <div className="row">
        <TranscriptDownloads name={file.name} {...{ text, segments, duration, language }} />
        <TraceLink id={traceId} operation="asr" />
      </div>
    </section>
  );
}
