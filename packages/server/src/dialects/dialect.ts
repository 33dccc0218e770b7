import type { IncomingHttpHeaders } from "node:http";
import type { ErrorCode, ValidationIssue } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import type { AdmissionParts } from "../http/admission.ts";
import type { Identify } from "../http/identify.ts";
import type { UploadTimeouts } from "../http/uploads/upload-rules.ts";
import type { VoiceCreation } from "../services/voices/creation.ts";
import type { Voices } from "../services/voices/voices.ts";
import type { SpeechResponseParts } from "./speech-response.ts";
import type { TranscriptionParts } from "./transcribe-upload.ts";

/** One API on the wire. Its routes translate requests for the shared services and write results and errors its own way. */
export interface Dialect {
  /** The value of `dialect` in metrics, logs and traces. */
  readonly name: string;
  /** The paths that belong to it, with everything below them. */
  readonly paths: readonly string[];
  /** Paths that belong to it only when a request has its key header; another dialect has them too. */
  readonly shared?: {
    readonly keyHeader: string;
    readonly paths: readonly string[];
    /** Its routes for them are below this path. */
    readonly prefix: string;
  };
  /** Its names of the fields that the shared services name in an error: `text` is `input` in another API. */
  readonly fieldNames: Readonly<Record<string, string>>;
  errorBody(error: DialectError): unknown;
  /** Adds its routes. */
  register(http: FastifyInstance, parts: DialectParts): void;
}

/** An error with the dialect's names of fields. */
export interface DialectError {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  /** The field that is wrong, if the error is about one. */
  readonly field: string | undefined;
  readonly issues: readonly ValidationIssue[];
  /** The trace id of the request. */
  readonly requestId: string | undefined;
}

/** What the routes of dialects are built from. */
export interface DialectParts extends SpeechResponseParts, TranscriptionParts {
  readonly admission: AdmissionParts;
  readonly voices: Voices;
  readonly creation: VoiceCreation;
  readonly identify: Identify;
  /** Whether voices can be listed without a key. */
  readonly isCatalogPublic: boolean;
  readonly uploadTimeouts: UploadTimeouts;
  /** Whether there is a language model. */
  readonly hasConversations: boolean;
}

/** What identifies the dialect of a request. */
export interface RequestTarget {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly id?: string;
}
