import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, apiError, isSpoken, PROJECT_LIMITS } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import type { ProjectDetails } from "../../stores/projects.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { createJobRunner } from "../cluster/job-runner.ts";
import type { Node } from "../cluster/node.ts";
import { hashChapters, paragraphSpeech } from "./paragraph-hash.ts";
import { type SpeakParagraphParts, type StoreAudio, speakParagraph } from "./speak-paragraph.ts";

/** Speaks the projects that wait, one at a time on each node. */
export interface ProjectJobs {
  /** Checks the queue now. */
  wake(): void;
  /** Aborts the job of a project that was stopped or deleted. */
  cancel(id: string): void;
  close(): Promise<void>;
}

export interface ProjectJobsParts extends SpeakParagraphParts {
  readonly node: Node;
  readonly log: LogFor<"project.failed" | "project-queue.failed" | "project-queue.release-failed">;
  /** How long it waits for other requests; shorter in tests. */
  readonly busyMs?: number;
}

const BUSY_MS = 1000;
/** Above this share of the capacity, a project waits: requests of people come first. */
const MAX_CAPACITY_USED = 0.5;
const MAX_WAIT_SECONDS = 30;

export function createProjectJobs(parts: ProjectJobsParts): ProjectJobs {
  const { store, node, speech, log, busyMs = BUSY_MS } = parts;

  /** The next paragraph without audio. It is looked up again each time: the text may have changed. */
  async function nextParagraph(project: ProjectDetails) {
    const made = await store.projects.audio.list(project.id);
    const paragraphs = (await hashChapters(project)).flatMap((chapter) => chapter.paragraphs).filter(isSpoken);
    const wanted = new Set(paragraphs.map(({ hash }) => hash));
    const unused = [...made.keys()].filter((hash) => !wanted.has(hash));
    return { next: paragraphs.find(({ hash }) => !made.has(hash)), unused };
  }

  async function speakAll(id: string, signal: AbortSignal): Promise<void> {
    while (await store.projects.queue.isHeld(id, node.id)) {
      const project = await store.projects.find(id);
      if (project === undefined) return;
      const { next, unused } = await nextParagraph(project);
      // Until then it may be wanted again, but a text that changes all the time would leave ever more of it.
      if (next === undefined || unused.length > PROJECT_LIMITS.paragraphs)
        await store.projects.audio.remove(id, unused);
      if (next === undefined) return;
      const { userId, settings } = project;
      if ((await store.projects.audio.bytesOf(userId)) >= PROJECT_LIMITS.audioBytes) {
        throw apiError("projects_full", { limit: PROJECT_LIMITS.audioBytes / 1_000_000 });
      }
      while (speech.capacityUsed() > MAX_CAPACITY_USED) await sleep(busyMs, undefined, { signal });
      const speechOf = paragraphSpeech(next, settings);
      // A node that has expired may speak the same paragraph as the one that took over. Only one of them pays.
      const storeAudio: StoreAudio = async ({ projects }, audio) => {
        if (!(await projects.queue.progressed(id, node.id))) return false;
        await projects.audio.put(id, { hash: next.hash, ...audio });
        return true;
      };
      await whenFree(() => speakParagraph(parts, userId, speechOf, storeAudio, signal), signal);
    }
  }

  /** Repeats work that was refused because of a limit or of other work. */
  async function whenFree<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const seconds = waitSeconds(error);
        if (seconds === undefined || signal.aborted) throw error;
        await sleep(Math.min(busyMs, 1000) * Math.min(seconds, MAX_WAIT_SECONDS), undefined, { signal });
      }
    }
  }

  const jobs = createJobRunner({
    node,
    queue: store.projects.queue,
    async run(id, signal) {
      await speakAll(id, signal);
      await store.projects.queue.finish(id, node.id);
    },
    async onFailed(id, err, isCancelled) {
      if (isCancelled) return;
      logEvent(log, "project.failed", { err, projectId: id });
      const reason = err instanceof ApiError ? err.message : "A paragraph could not be spoken";
      await store.projects.queue.fail(id, node.id, reason);
    },
    onQueueFailed: (err) => logEvent(log, "project-queue.failed", { err }),
    onReleaseFailed: (err) => logEvent(log, "project-queue.release-failed", { err }),
  });
  return { ...jobs, cancel: (id) => jobs.cancel(id, "the project was stopped") };
}

/** Undefined for an error that waiting does not help against. */
function waitSeconds(error: unknown): number | undefined {
  if (error instanceof SpeechError)
    return error.code === "overloaded" || error.code === "not_ready" ? (error.retryAfterSeconds ?? 1) : undefined;
  const isRefusal = error instanceof ApiError && (error.status === 429 || error.status === 503);
  return isRefusal ? (error.retryAfterSeconds ?? 1) : undefined;
}
