import type { ProjectRecord } from "@parlance/protocol";
import { formatClock, formatNumber } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Fault, Notice } from "../../ui/notice.tsx";
import { spokenShare } from "./edit-chapters.ts";
import { JobBadge } from "./job-badge.tsx";
import type { Listening } from "./use-listen.ts";
import type { ProjectActions } from "./use-project-actions.ts";

interface ProjectProgressProps {
  readonly project: ProjectRecord;
  readonly actions: ProjectActions;
  readonly listen: Listening;
}

/** How much is spoken, and the buttons to speak and to listen. */
export function ProjectProgress({ project, actions, listen }: ProjectProgressProps) {
  const { speak, stop } = actions;
  const { spoken, total, seconds } = spokenShare(project.chapters);
  const isWorking = project.job === "waiting" || project.job === "running";
  return (
    <section className="card stack" aria-label="Speech" data-job={project.job}>
      <div className="row apart">
        <span className="number">
          {formatNumber(spoken)} of {formatNumber(total)} paragraphs are spoken
          {spoken > 0 && <span className="soft">, {formatClock(seconds)}</span>}
        </span>
        <JobBadge job={project.job} />
      </div>
      <progress aria-label="Spoken paragraphs" max={Math.max(1, total)} value={spoken} />
      {project.job === "failed" && (
        <Notice tone="bad">
          <div className="row apart">
            <span>{project.job_error ?? "A paragraph could not be spoken."}</span>
            <Button icon="refresh" busy={speak.busy} onClick={() => void speak.run()}>
              Try again
            </Button>
          </div>
        </Notice>
      )}
      <div className="row">
        {isWorking && (
          <Button icon="stop" busy={stop.busy} onClick={() => void stop.run()}>
            Stop speaking
          </Button>
        )}
        {!isWorking && spoken < total && (
          <Button look="primary" icon="speak" busy={speak.busy} onClick={() => void speak.run()}>
            {spoken === 0 ? "Speak all" : "Speak the rest"}
          </Button>
        )}
        <ListenButtons listen={listen} spoken={spoken} isComplete={spoken >= total} />
      </div>
      {isWorking && (
        <p className="small soft">This continues when you leave the page, and after a restart of the server.</p>
      )}
      <Fault error={speak.error ?? stop.error ?? listen.error} />
    </section>
  );
}

interface ListenButtonsProps {
  readonly listen: Listening;
  readonly spoken: number;
  readonly isComplete: boolean;
}

function ListenButtons({ listen, spoken, isComplete }: ListenButtonsProps) {
  if (listen.place === undefined) {
    return (
      <Button
        look={isComplete ? "primary" : "plain"}
        icon="play"
        disabled={spoken === 0}
        onClick={() => listen.play({ chapter: 0, paragraph: 0 })}
      >
        Listen through
      </Button>
    );
  }
  return (
    <>
      <Button icon={listen.isPaused ? "play" : "pause"} onClick={listen.toggle}>
        {listen.isPaused ? "Go on" : "Pause"}
      </Button>
      <Button icon="stop" onClick={listen.stop}>
        Stop listening
      </Button>
    </>
  );
}
