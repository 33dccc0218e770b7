import { useEffect, useState } from "react";
import { formatBytes, formatClock } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { describeFault, Fault, Notice } from "../../ui/notice.tsx";
import { cancelJob, removeJob, retryJob, showJob, type TranscribeJob } from "./queue.ts";

interface JobListProps {
  readonly jobs: readonly TranscribeJob[];
  readonly shown: number | undefined;
}

/** The recordings that wait, run or are done. */
export function JobList({ jobs, shown }: JobListProps) {
  const done = jobs.filter(({ state }) => state === "done").length;
  return (
    <section className="card stack" aria-label="Recordings">
      {jobs.length > 1 && (
        <p className="small soft">
          {done} of {jobs.length} recordings are done
          <TimeLeft jobs={jobs} />
        </p>
      )}
      <ul className="jobs">
        {jobs.map((job) => (
          <JobRow key={job.id} job={job} isShown={job.id === shown} />
        ))}
      </ul>
    </section>
  );
}

/** By the bytes that were transcribed in the time so far: the length of a recording is not known before it is sent. */
function TimeLeft({ jobs }: { readonly jobs: readonly TranscribeJob[] }) {
  const running = jobs.find(({ state }) => state === "running");
  const begun = Math.min(...jobs.map(({ startedAt }) => startedAt ?? Number.POSITIVE_INFINITY));
  const seconds = useSecondsSince(Number.isFinite(begun) ? begun : undefined);
  const bytesOf = (states: readonly TranscribeJob["state"][]) =>
    jobs.filter(({ state }) => states.includes(state)).reduce((sum, { file }) => sum + file.size, 0);
  const ready = bytesOf(["done"]) + (running ? running.file.size * running.progress : 0);
  const open = bytesOf(["running", "waiting"]) - (running ? running.file.size * running.progress : 0);
  if (running === undefined || ready <= 0) return null;
  return <span className="number">, about {formatClock((seconds / ready) * open)} left</span>;
}

function JobRow({ job, isShown }: { readonly job: TranscribeJob; readonly isShown: boolean }) {
  const { id, file, state, waitReason } = job;
  const ended = state !== "waiting" && state !== "running";
  return (
    <li className="stack tight" data-state={state}>
      <div className="row apart">
        <span className="cut grow">
          {file.name} <span className="soft small">{formatBytes(file.size)}</span>
        </span>
        <span className="row">
          {state === "waiting" && <span className="badge">waiting</span>}
          {state === "cancelled" && <span className="badge">cancelled</span>}
          {state === "done" && (
            <Button look="quiet" aria-pressed={isShown} onClick={() => showJob(id)}>
              {isShown ? "Shown" : "Show"}
            </Button>
          )}
          {state === "cancelled" && (
            <Button look="quiet" icon="refresh" onClick={() => retryJob(id)}>
              Try again
            </Button>
          )}
          {ended ? (
            <Button look="quiet" icon="trash" aria-label={`Remove ${file.name}`} onClick={() => removeJob(id)} />
          ) : (
            <Button look="quiet" icon="stop" onClick={() => cancelJob(id)}>
              Cancel
            </Button>
          )}
        </span>
      </div>
      {state === "running" && <Running job={job} />}
      {state === "running" && waitReason !== undefined && (
        <Notice tone="warn">{waitReason}. The recording is sent again by itself.</Notice>
      )}
      {job.keepError !== undefined && (
        <Notice tone="warn">This transcript is not in the history: {describeFault(job.keepError)}</Notice>
      )}
      {state === "failed" && <Fault error={job.error} retry={() => retryJob(id)} />}
    </li>
  );
}

function Running({ job: { progress, startedAt } }: { readonly job: TranscribeJob }) {
  const seconds = useSecondsSince(startedAt);
  const left = progress > 0 ? (seconds / progress) * (1 - progress) : undefined;
  return (
    <div className="row">
      {/* Without a value the bar is indeterminate: a single part reports no progress. */}
      <progress
        className="grow"
        aria-label="Transcribed"
        max={1}
        {...(progress > 0 ? { value: progress } : { "data-unknown": true })}
      />
      <span className="small soft number">
        {formatClock(seconds)}
        {left !== undefined && `, about ${formatClock(left)} left`}
      </span>
    </div>
  );
}

/** Counts by the second, so that something moves while nothing is known. */
function useSecondsSince(startedAt: number | undefined): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, (now - (startedAt ?? now)) / 1000);
}
