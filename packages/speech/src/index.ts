export * from "./speech.ts";
