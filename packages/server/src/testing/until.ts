export { until, untilSteady } from "../../../../tests/support/until.ts";
