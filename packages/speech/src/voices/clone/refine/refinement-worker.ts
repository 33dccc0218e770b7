import { serveJobs } from "../../../pool/job-worker.ts";
import type { RefinementJob, RefinementResult, RefinementSpec } from "./refinement.ts";
import { createRefiner } from "./refiner.ts";

/**
 * The worker process that refines voices. Each job limits itself to its share of a core. Beside a busy process of normal
 * priority, this niceness leaves it a quarter of a core: a lower priority would not leave it its share.
 */
serveJobs<RefinementSpec, RefinementJob, RefinementResult>(5, createRefiner);
