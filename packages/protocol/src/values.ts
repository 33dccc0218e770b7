/** Constants and checks that need no schema library: a command line or a browser page loads them quickly. */
export * from "./accounts/account-values.ts";
export * from "./accounts/key-limits.ts";
export * from "./accounts/key-scopes.ts";
export * from "./accounts/roles.ts";
export * from "./accounts/sign-in-link.ts";
export * from "./asr/asr-models.ts";
export * from "./billing/plans.ts";
export * from "./billing/usage-values.ts";
export * from "./traces/trace-values.ts";
export * from "./tts/formats.ts";
export * from "./tts/models.ts";
export * from "./tts/ranges.ts";
