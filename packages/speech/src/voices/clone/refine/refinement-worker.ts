import { serveJobs } from "../../../pool/job-worker.ts";
import type { RefinementJob, RefinementResult, RefinementSpec } from "./refinement.ts";
import { createRefiner } from "./refiner.ts";

/**
 * The worker process that refines voices. Each job limits itself to its share of a core. At a lower priority it would not get
 * this share on a busy machine.
 */
serveJobs<RefinementSpec, RefinementJob, RefinementResult>(0, createRefiner);
