import { serveJobs } from "../../pool/job-worker.ts";
import { createRefiner, type RefinedVoice, type RefinementJob, type RefinementSpec } from "./refinement.ts";

/** The worker process that refines voices, at the lowest priority. */
serveJobs<RefinementSpec, RefinementJob, RefinedVoice>(15, createRefiner);
