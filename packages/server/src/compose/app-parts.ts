import type { Cloning, Cluster, Speech, Transcription } from "@parlance/speech";
import type { Config } from "../config/config.ts";
import type { StreamTimeouts } from "../dialects/speech-response.ts";
import { RECEIVE_TIMEOUT_MS } from "../http/receive-timeout.ts";
import type { UploadTimeouts } from "../http/uploads/upload-rules.ts";
import type { NodeOptions } from "../services/cluster/node.ts";
import type { LanguageModelTimeouts } from "../services/conversation/language-model.ts";
import { noCloning } from "../services/voices/no-cloning.ts";
import { createS3Objects, type S3Options } from "../stores/s3-objects.ts";
import type { Store } from "../stores/store.ts";
import { createEngineEvents, type EngineEvents } from "../telemetry/engine-events.ts";
import type { Log } from "../telemetry/log.ts";
import type { TraceExport } from "../telemetry/trace-export.ts";

/** What the HTTP app is built from. */
export interface AppParts extends AppOverrides {
  readonly config: Config;
  readonly speech: Speech;
  readonly transcription: Transcription;
  /** Left out: voices cannot be cloned. */
  readonly cloning?: Cloning | undefined;
  readonly store: Store;
  readonly log: Log;
  /** Events of the engines above. Left out: only events of requests are counted. */
  readonly events?: EngineEvents | undefined;
  /** How many worker machines take work. Left out: this node works by itself. */
  readonly machines?: (() => number) | undefined;
  /** The cluster that this node belongs to, if there is one. */
  readonly cluster?: Pick<Cluster, "questions"> | undefined;
}

/** What a deployment leaves at its default. Tests shorten the times. */
export interface AppOverrides {
  /** The folder of the built dashboard. Left out: `/` redirects to the API documentation. */
  readonly dashboard?: string | undefined;
  readonly timeouts?: StreamTimeouts;
  readonly uploadTimeouts?: UploadTimeouts;
  /** Time limit for the headers of a request. */
  readonly headersTimeoutMs?: number;
  /** How long one event of a Wyoming client may take to arrive. */
  readonly wyomingReceiveMs?: number;
  /** Interval of the pings on live sockets. */
  readonly pingMs?: number;
  /** How long a socket may be open without the key of its client. */
  readonly lateKeyMs?: number;
  /** How long the language model may take. */
  readonly languageModelTimeouts?: LanguageModelTimeouts;
  /** Interval at which the database is read for accounts that another node has disabled. */
  readonly disabledPollMs?: number;
  /** Heartbeat interval of this node, and the silence after which other nodes count as expired. */
  readonly node?: Pick<NodeOptions, "heartbeatMs" | "expiryMs">;
  readonly objectStorage?: S3Options;
  /** `off`: installed engines are assumed to work and get no probe requests. */
  readonly healthChecks?: "on" | "off";
  /** Where spans are sent. Left out: spans are not exported. */
  readonly traceExport?: TraceExport | undefined;
}

/** A player may buffer a long text and pause for minutes between two reads. */
const STREAM_TIMEOUTS: StreamTimeouts = { engineTimeoutMs: 60_000, readerTimeoutMs: 300_000 };

/** The largest recording takes this long at 0.5 Mbit/s. */
const UPLOAD_TIMEOUTS: UploadTimeouts = { idleMs: 30_000, totalMs: 360_000 };

/** The parts with every default filled in. */
export type ResolvedParts = ReturnType<typeof resolveParts>;

export function resolveParts(parts: AppParts) {
  return {
    ...parts,
    /** Where files of voices are kept, unless in the database. */
    objects: parts.config.blobs && createS3Objects(parts.config.blobs, parts.objectStorage),
    cloning: parts.cloning ?? noCloning,
    events: parts.events ?? createEngineEvents(),
    timeouts: parts.timeouts ?? STREAM_TIMEOUTS,
    uploadTimeouts: parts.uploadTimeouts ?? UPLOAD_TIMEOUTS,
    headersTimeoutMs: parts.headersTimeoutMs ?? RECEIVE_TIMEOUT_MS,
    healthChecks: parts.healthChecks ?? "on",
  };
}
