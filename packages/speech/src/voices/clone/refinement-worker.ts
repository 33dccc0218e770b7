import { serveJobs } from "../../pool/job-worker.ts";
import { createRefiner, type RefinedVoice, type RefinementJob, type RefinementSpec } from "./refinement.ts";

/** The worker process that refines voices, at a low priority: beside one busy process it has a tenth of a core. */
serveJobs<RefinementSpec, RefinementJob, RefinedVoice>(10, createRefiner);
