import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, apiError, PROJECT_LIMITS } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import type { ProjectDetails } from "../../stores/projects.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import type { Node } from "../cluster/node.ts";
import { isSpoken, paragraphHash, paragraphSpeech } from "./paragraph-hash.ts";
import { type SpeakParagraphParts, speakParagraph } from "./speak-paragraph.ts";

/** Speaks the projects that wait, one at a time on each node. A job is a row, so another node or the next start continues it. */
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
  const closing = new AbortController();
  let current: { readonly id: string; readonly controller: AbortController } | undefined;
  let working: Promise<void> | undefined;
  let again = false;

  /** The next paragraph without audio. It is looked up again each time: the text may have changed. */
  async function nextParagraph(project: ProjectDetails) {
    const made = await store.projects.audio.list(project.id);
    const paragraphs = project.chapters.flatMap((chapter) => chapter.paragraphs).filter(isSpoken);
    const hashes = paragraphs.map((paragraph) => paragraphHash(paragraph, project.settings));
    const index = hashes.findIndex((hash) => !made.has(hash));
    const wanted = new Set(hashes);
    const unused = [...made.keys()].filter((hash) => !wanted.has(hash));
    const paragraph = paragraphs[index];
    const hash = hashes[index];
    return { next: paragraph && hash ? { paragraph, hash } : undefined, unused };
  }

  async function speakAll(id: string, signal: AbortSignal): Promise<void> {
    while (await store.projects.queue.isHeld(id, node.id)) {
      const project = await store.projects.find(id);
      if (project === undefined) return;
      const { next, unused } = await nextParagraph(project);
      if (next === undefined) {
        await store.projects.audio.remove(id, unused);
        return;
      }
      const { userId, settings } = project;
      if ((await store.projects.audio.bytesOf(userId)) >= PROJECT_LIMITS.audioBytes) {
        throw apiError("projects_full", { limit: PROJECT_LIMITS.audioBytes / 1_000_000 });
      }
      while (speech.capacityUsed() > MAX_CAPACITY_USED) await sleep(busyMs, undefined, { signal });
      const speechOf = paragraphSpeech(next.paragraph, settings);
      const audio = await whenFree(() => speakParagraph(parts, userId, speechOf, signal), signal);
      await store.projects.audio.put(id, { hash: next.hash, ...audio });
      await store.projects.queue.progressed(id, node.id);
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

  /** False when the queue was empty. */
  async function speakNext(): Promise<boolean> {
    const id = await store.projects.queue.claim(node.id);
    if (id === undefined) return false;
    const controller = new AbortController();
    current = { id, controller };
    try {
      await speakAll(id, AbortSignal.any([controller.signal, closing.signal]));
      await store.projects.queue.finish(id, node.id);
    } catch (err) {
      if (closing.signal.aborted) return false;
      if (controller.signal.aborted) return true;
      logEvent(log, "project.failed", { err, projectId: id });
      const reason = err instanceof ApiError ? err.message : "A paragraph could not be spoken";
      await store.projects.queue.fail(id, node.id, reason);
    } finally {
      current = undefined;
    }
    return true;
  }

  async function work(): Promise<void> {
    do {
      again = false;
      while (!closing.signal.aborted && (await speakNext()));
    } while (again && !closing.signal.aborted);
  }

  function wake(): void {
    again = true;
    if (closing.signal.aborted) return;
    working ??= work()
      .catch((err: unknown) => logEvent(log, "project-queue.failed", { err }))
      .finally(() => {
        working = undefined;
      });
  }

  node.onNodeExpired((nodeId) => store.projects.queue.requeueAfterCrash(nodeId));
  node.onHeartbeat(async () => wake());
  return {
    wake,
    cancel(id) {
      if (current?.id === id) current.controller.abort(new Error("the project was stopped"));
    },
    async close() {
      closing.abort(new Error("the server is shutting down"));
      await working;
      // If the database is away, another node takes the job over as from an expired node.
      await store.projects.queue
        .requeueAfterStop(node.id)
        .catch((err: unknown) => logEvent(log, "project-queue.release-failed", { err }));
    },
  };
}

/** Undefined for an error that waiting does not help against. */
function waitSeconds(error: unknown): number | undefined {
  if (error instanceof SpeechError) return error.code === "overloaded" ? (error.retryAfterSeconds ?? 1) : undefined;
  const isRefusal = error instanceof ApiError && (error.status === 429 || error.status === 503);
  return isRefusal ? (error.retryAfterSeconds ?? 1) : undefined;
}
