import type { FastifyBaseLogger } from "fastify";

interface LogEventDescription {
  readonly level: "info" | "warn" | "error";
  /** The message of the line. */
  readonly meaning: string;
}

/**
 * Every line that the service logs, by its `event` field. Names are stable: alerts may depend on them.
 * docs/operating.md has the same table.
 */
export const LOG_EVENTS = {
  "request.finished": { level: "info", meaning: "a request or a live round has ended" },
  "request.refused": { level: "warn", meaning: "a request was refused: full, shutting down or not ready" },
  "request.failed": { level: "error", meaning: "a request failed because of a fault of the service" },
  "live-session.failed": { level: "error", meaning: "a live socket was closed because of a fault of the service" },
  "connection.refused": { level: "warn", meaning: "connections over the limit were refused" },
  "worker.lost": { level: "warn", meaning: "a worker process ended and is replaced" },
  "machine.joined": { level: "info", meaning: "a worker machine has joined the cluster" },
  "machine.lost": { level: "warn", meaning: "a worker machine has left the cluster or does not answer" },
  "worker.joined": { level: "info", meaning: "this machine works for the api nodes of the cluster" },
  "model.fetch-started": { level: "info", meaning: "a model is being fetched in the background" },
  "model.fetched": { level: "info", meaning: "a model was fetched and is in use" },
  "model.fetch-failed": { level: "warn", meaning: "a model could not be fetched; the service runs without it" },
  "health-check.failed": { level: "warn", meaning: "a health check failed" },
  "health-check.recovered": { level: "info", meaning: "a health check passed again" },
  "database.unreachable": { level: "warn", meaning: "the database does not answer or cannot be written" },
  "database.log-damaged": {
    level: "error",
    meaning: "the write-ahead log was damaged, and its last transactions are lost",
  },
  "database.connection-lost": { level: "warn", meaning: "a connection to the database was lost and is replaced" },
  "node.expired": { level: "info", meaning: "the reservations and jobs of an expired node were closed" },
  "node.heartbeat-failed": { level: "warn", meaning: "the heartbeat of this node was not written; it is retried" },
  "node.expiry-check-failed": { level: "warn", meaning: "expired nodes were not checked; it is retried" },
  "node.task-failed": { level: "warn", meaning: "a periodic task of this node failed; it is retried" },
  "node.close-failed": { level: "warn", meaning: "this node did not close its open work; the next start does" },
  "reservation.update-failed": { level: "warn", meaning: "the delivered part of a reservation was not written" },
  "settlement.corrected": {
    level: "warn",
    meaning: "another node had closed the reservation of a request that ran here; the difference was charged",
  },
  "settlement.delayed": { level: "warn", meaning: "a settlement was not written; it is retried" },
  "usage.write-failed": { level: "warn", meaning: "usage counts were not written; it is retried" },
  "voice-use.write-failed": { level: "warn", meaning: "use counts of voices were not written and are lost" },
  "history.write-failed": {
    level: "warn",
    meaning: "speech was not added to the history; the request is not affected",
  },
  "audit.write-failed": {
    level: "warn",
    meaning: "an entry was not added to the audit log; the request is not affected",
  },
  "oidc.failed": { level: "warn", meaning: "a sign-in with the provider failed" },
  "last-use.write-failed": { level: "warn", meaning: "the last-used time of a key or session was not written" },
  "disabled-accounts.check-failed": { level: "warn", meaning: "disabled accounts were not checked; it is retried" },
  "voice.pace-set": { level: "info", meaning: "the pace of a cloned voice was set by its recordings" },
  "voice.refined": {
    level: "info",
    meaning: "the refinement of a cloned voice has ended; `kept`: its sound has changed",
  },
  "voice.remade": { level: "info", meaning: "a voice of another engine or voice encoder was made anew" },
  "voices.enqueued": { level: "info", meaning: "voices of another engine or voice encoder wait to be made anew" },
  "voices.refinement-enqueued": { level: "info", meaning: "voices that were not refined yet wait to be refined" },
  "voice.refinement-postponed": {
    level: "warn",
    meaning: "work on a cloned voice cannot be done now; it is retried",
  },
  "voice.refinement-failed": {
    level: "warn",
    meaning: "the background work on a cloned voice failed; it stays as it is",
  },
  "voice.analysis-failed": {
    level: "warn",
    meaning: "reference audio of a voice could not be analyzed again; it is made from the rest",
  },
  "voice.transcription-failed": { level: "warn", meaning: "reference audio of a voice could not be transcribed" },
  "object-storage.unset": {
    level: "warn",
    meaning: "files of voices are in an object storage, but PARLANCE_BLOBS_URL is not set",
  },
  "voice-file.unreadable": {
    level: "error",
    meaning: "a recording or cover is missing in the object storage, or is not what was stored",
  },
  "voice-file.delete-failed": {
    level: "warn",
    meaning: "files of deleted voices are still in the object storage; it is retried",
  },
  "voice-file.release-failed": {
    level: "warn",
    meaning: "files of a voice that was not made are still in the object storage; they are deleted after an hour",
  },
  "refinement-queue.failed": { level: "warn", meaning: "the refinement queue could not be read; it is retried" },
  "refinement-queue.release-failed": { level: "warn", meaning: "refinement jobs were not released at shutdown" },
  "project.failed": { level: "warn", meaning: "a project could not be spoken; its account sees the reason" },
  "project-queue.failed": { level: "warn", meaning: "the queue of projects could not be read; it is retried" },
  "project-queue.release-failed": { level: "warn", meaning: "projects were not released at shutdown" },
  "trace-export.failed": { level: "warn", meaning: "traces cannot be exported; requests are not affected" },
  "trace-export.recovered": { level: "info", meaning: "traces are exported again" },
  "setting.ignored": { level: "warn", meaning: "a setting has no effect" },
  "default-model.read": {
    level: "info",
    meaning: "PARLANCE_DEFAULT_MODEL is set and used where a request names no known model",
  },
  "wyoming.account-unusable": {
    level: "warn",
    meaning: "the account of PARLANCE_WYOMING_ACCOUNT is missing or disabled; Wyoming requests are refused",
  },
  "wyoming.announcement-failed": { level: "warn", meaning: "the Wyoming port could not be announced by zeroconf" },
  "shutdown.started": { level: "info", meaning: "shutting down: running requests may finish" },
  "shutdown.timed-out": { level: "warn", meaning: "the drain time is over: running requests are aborted" },
} as const satisfies Readonly<Record<string, LogEventDescription>>;

export type LogEvent = keyof typeof LOG_EVENTS;

/** A log that takes the level of this event. */
export type LogFor<Event extends LogEvent> = Pick<FastifyBaseLogger, (typeof LOG_EVENTS)[Event]["level"]>;

/** Logs one event with its level and message. Fields never hold keys, texts or audio. */
export function logEvent<Event extends LogEvent>(
  log: LogFor<Event>,
  event: Event,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const { level, meaning }: LogEventDescription = LOG_EVENTS[event];
  const methods: Partial<Pick<FastifyBaseLogger, LogEventDescription["level"]>> = log;
  methods[level]?.({ event, ...fields }, meaning);
}
