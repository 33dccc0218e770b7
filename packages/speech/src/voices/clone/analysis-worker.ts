import { serveJobs } from "../../pool/job-worker.ts";
import { createHearing, type HeardRecording, type HearingJob, type HearingSpec } from "./analysis.ts";

/** The worker process that listens to recordings of speakers. */
serveJobs<HearingSpec, HearingJob, HeardRecording | Float32Array>(5, createHearing);
