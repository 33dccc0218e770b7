import { after, before, describe } from "node:test";
import { browserMissing } from "./browser.ts";
import { startStudio, stopStudio } from "./studio.ts";
import { accountSuite } from "./suites/account.ts";
import { adminSuite } from "./suites/admin.ts";
import { everyPageSuite } from "./suites/every-page.ts";
import { historySuite } from "./suites/history.ts";
import { projectsSuite } from "./suites/projects.ts";
import { robustnessSuite } from "./suites/robustness.ts";
import { speakSuite } from "./suites/speak.ts";
import { startSuite } from "./suites/start.ts";
import { talkSuite } from "./suites/talk.ts";
import { tracesSuite } from "./suites/traces.ts";
import { transcribeSuite } from "./suites/transcribe.ts";
import { transcriptsSuite } from "./suites/transcripts.ts";
import { voicesSuite } from "./suites/voices.ts";

/** One file for all suites, because each test file is a process, and starting the engines takes long. */
describe("the dashboard", { timeout: 1_200_000, skip: browserMissing }, () => {
  before(startStudio);
  after(stopStudio);
  accountSuite();
  startSuite();
  speakSuite();
  talkSuite();
  tracesSuite();
  transcribeSuite();
  transcriptsSuite();
  voicesSuite();
  robustnessSuite();
  historySuite();
  projectsSuite();
  adminSuite();
  everyPageSuite();
});
