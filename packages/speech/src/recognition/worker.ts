import { serveJobs } from "../pool/job-worker.ts";
import type { ListenerJob, ListenerResult, ListenerSpec } from "./jobs.ts";
import { createListener } from "./recognizers.ts";

/** The worker process that listens. */
serveJobs<ListenerSpec, ListenerJob, ListenerResult>(10, (spec) => createListener(spec).run);
