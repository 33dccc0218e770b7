import { serveJobs } from "../../pool/job-worker.ts";
import { createRefining, type RefinedVoice, type RefiningJob, type RefiningSpec } from "./refinement.ts";

/** The worker process that brings voices closer to their speakers. It stands back behind everything else. */
serveJobs<RefiningSpec, RefiningJob, RefinedVoice>(15, createRefining);
