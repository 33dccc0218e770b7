import { after } from "node:test";
import { CONCURRENCY, startRealServer } from "./real-server.ts";
import { asrLimitsSuite } from "./suites/asr-limits.ts";
import { asrLongSuite } from "./suites/asr-long.ts";
import { asrMutationsSuite } from "./suites/asr-mutations.ts";
import { liveSuite } from "./suites/live.ts";
import { parlanceClientSuite } from "./suites/parlance-client.ts";
import { parlanceLiveSuite } from "./suites/parlance-live.ts";

/** One file for all suites, because each test file is a process, and loading the models takes long. */
const server = await startRealServer({ concurrency: CONCURRENCY, requestsPerMinute: 0 });
after(() => server.close());

parlanceClientSuite(server);
parlanceLiveSuite(server);
liveSuite(server);
asrLimitsSuite(server);
asrLongSuite(server);
asrMutationsSuite(server);
