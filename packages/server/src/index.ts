export { type App, buildApp } from "./compose/app.ts";
export type { AppOverrides, AppParts } from "./compose/app-parts.ts";
export type { EngineOverrides } from "./compose/engines.ts";
export { enginesOf } from "./compose/models.ts";
export { type RunningServer, type ServerOptions, startServer } from "./compose/server.ts";
export { closeOnSignal } from "./compose/signals.ts";
export { startWorkerMachine, type WorkerMachine, type WorkerMachineOptions } from "./compose/worker.ts";
export * from "./records.ts";
export { createEngineEvents, type EngineEvents } from "./telemetry/engine-events.ts";
