import { realServer } from "./real-server.ts";
import { asrLimitsSuite } from "./suites/asr-limits.ts";
import { asrLongSuite } from "./suites/asr-long.ts";
import { asrMutationsSuite } from "./suites/asr-mutations.ts";
import { liveSuite } from "./suites/live.ts";
import { parlanceClientSuite } from "./suites/parlance-client.ts";
import { parlanceLiveSuite } from "./suites/parlance-live.ts";

const server = await realServer();

parlanceClientSuite(server);
parlanceLiveSuite(server);
liveSuite(server);
asrLimitsSuite(server);
asrLongSuite(server);
asrMutationsSuite(server);
