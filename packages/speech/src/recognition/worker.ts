import { serveJobs } from "../pool/job-worker.ts";
import type { RecognitionJob, RecognitionResult, RecognitionSpec } from "./jobs.ts";
import { createJobRunner } from "./run-job.ts";

/** The worker process for recognition. */
serveJobs<RecognitionSpec, RecognitionJob, RecognitionResult>(10, createJobRunner);
