import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, apiError, isSpoken, PROJECT_LIMITS } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import { isoTime } from "../../lib/time.ts";
import type { ProjectDetails } from "../../stores/projects.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { createJobRunner } from "../cluster/job-runner.ts";
import type { Node } from "../cluster/node.ts";
import { hashChapters, paragraphSpeech } from "./paragraph-hash.ts";
import { removeAudio } from "./remove-audio.ts";
import { type SpeakParagraphParts, type StoreAudio, speakParagraph } from "./speak-paragraph.ts";

/** Speaks the projects that wait, one at a time on each node. Those of several accounts take turns, a paragraph each. */
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
/** An account without a free slot is not tried again for this long while others wait. */
const REFUSED_MS = 5000;

export function createProjectJobs(parts: ProjectJobsParts): ProjectJobs {
  const { store, node, speech, log, busyMs = BUSY_MS } = parts;
  /** Accounts that were refused because of their own limits, and until when they are not tried again while others wait. */
  const refusedUntil = new Map<string, number>();
  let lastUserId = "";

  function refused(): readonly string[] {
    for (const [userId, until] of refusedUntil) if (until <= performance.now()) refusedUntil.delete(userId);
    return [...refusedUntil.keys()];
  }

  /** Lets a project of another account be next. False when none waits that may be spoken. */
  function giveWay({ id, userId }: ProjectDetails): Promise<boolean> {
    return store.projects.queue.giveWay(id, node.id, [userId, ...refused()], isoTime(Date.now()));
  }

  /** The next paragraph without audio. It is looked up again each time: the text may have changed. */
  async function nextParagraph(project: ProjectDetails) {
    const made = await store.projects.audio.list(project.id);
    const paragraphs = (await hashChapters(project)).flatMap((chapter) => chapter.paragraphs).filter(isSpoken);
    const wanted = new Set(paragraphs.map(({ hash }) => hash));
    const unused = [...made].filter(([hash]) => !wanted.has(hash));
    return { next: paragraphs.find(({ hash }) => !made.has(hash)), unused };
  }

  /** False when a project of another account is next, and this one waits again. */
  async function speakAll(id: string, signal: AbortSignal): Promise<boolean> {
    for (let isFirst = true; await store.projects.queue.isHeld(id, node.id); isFirst = false) {
      const project = await store.projects.find(id);
      if (project === undefined) return true;
      lastUserId = project.userId;
      if (!isFirst && (await giveWay(project))) return false;
      const { next, unused } = await nextParagraph(project);
      // Until then it may be wanted again, but a text that changes all the time would leave ever more of it.
      if (next === undefined || unused.length > PROJECT_LIMITS.paragraphs)
        await removeAudio(store.projects.audio, id, unused);
      if (next === undefined) return true;
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
      const speak = () => speakParagraph(parts, userId, speechOf, storeAudio, signal);
      if (!(await whenFree(project, speak, signal))) return false;
    }
    return true;
  }

  /** Repeats work that was refused because of a limit or of other work. False when another account is next instead. */
  async function whenFree(project: ProjectDetails, work: () => Promise<void>, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      try {
        await work();
        return true;
      } catch (error) {
        const seconds = waitSeconds(error);
        if (seconds === undefined || signal.aborted) throw error;
        const waitMs = Math.min(busyMs, 1000) * Math.min(seconds, MAX_WAIT_SECONDS);
        if (error instanceof ApiError && error.status === 429) {
          refusedUntil.set(project.userId, performance.now() + Math.max(waitMs, REFUSED_MS));
          if (await giveWay(project)) return false;
        }
        await sleep(waitMs, undefined, { signal });
      }
    }
  }

  const jobs = createJobRunner({
    node,
    queue: {
      ...store.projects.queue,
      claim: (nodeId) => store.projects.queue.claim(nodeId, [lastUserId, ...refused()]),
    },
    async run(id, signal) {
      if (await speakAll(id, signal)) await store.projects.queue.finish(id, node.id);
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
