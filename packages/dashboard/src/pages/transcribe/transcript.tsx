import { formatClock } from "../../lib/format.ts";
import { TraceLink } from "../../ui/trace-link.tsx";
import { editJob, type TranscribeJob } from "./queue.ts";
import { TranscriptView } from "./transcript-view.tsx";

type FinishedJob = TranscribeJob & Required<Pick<TranscribeJob, "result">>;

/** The transcript of a recording in the queue. */
export function Transcript({ job }: { readonly job: FinishedJob }) {
  const { file, result, traceId } = job;
  const { text, segments, duration, language } = result;
  return (
    <section className="card stack" aria-label="Transcript">
      <div className="row apart">
        <h2 className="cut">{file.name}</h2>
        <span className="soft number">
          {formatClock(duration)} · {language ?? "no speech"}
        </span>
      </div>
      <TranscriptView
        name={file.name}
        recording={file.size > 0 ? file : undefined}
        words={segments}
        save={(edited, signal) => editJob(job.id, edited, signal)}
        {...{ text, duration, language }}
      >
        <TraceLink id={traceId} operation="asr" />
      </TranscriptView>
    </section>
  );
}
