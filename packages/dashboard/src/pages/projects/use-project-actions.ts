import type { ProjectChange, ProjectRecord } from "@parlance/protocol";
import { client } from "../../lib/server.ts";
import { type Action, useAction } from "../../lib/use-action.ts";
import type { Loaded } from "../../lib/use-load.ts";
import type { Place } from "./edit-chapters.ts";

export type UpdateProject = (signal: AbortSignal, change: ProjectChange) => Promise<void>;

export interface ProjectActions {
  /** For an action of its own in each card, which shows its errors. */
  readonly update: UpdateProject;
  /** Speaks what has no audio; with a place, that paragraph again. */
  readonly speak: Action<[Place?]>;
  readonly stop: Action<[]>;
}

export function useProjectActions(id: string, loaded: Loaded<ProjectRecord>): ProjectActions {
  const accept = (changed: ProjectRecord): void => {
    loaded.put(() => changed);
    // A response to an older request would bring the former state back.
    loaded.reload();
  };
  return {
    update: async (signal, change) => accept(await client.projects.update(id, change, { signal })),
    speak: useAction(async (signal, place) => accept(await client.projects.speak(id, place ?? {}, { signal }))),
    stop: useAction(async (signal) => accept(await client.projects.stop(id, { signal }))),
  };
}
