import type { Node } from "../services/cluster/node.ts";
import { createProjectExports } from "../services/projects/project-exports.ts";
import { createProjectJobs } from "../services/projects/project-jobs.ts";
import { createProjectService } from "../services/projects/projects.ts";
import type { SpeakParagraphParts } from "../services/projects/speak-paragraph.ts";
import type { UploadFolder } from "../services/uploads/upload-folder.ts";
import type { ResolvedParts } from "./app-parts.ts";

/** Long texts, and the work on them in the background. */
export function createProjectServices(
  { store, speech, log }: ResolvedParts,
  node: Node,
  services: Omit<SpeakParagraphParts, "store" | "speech"> & { readonly uploads: UploadFolder },
) {
  const { synthesis, metering, limits, usage, uploads } = services;
  const projectJobs = createProjectJobs({ store, speech, node, log, synthesis, metering, limits, usage });
  return {
    projectJobs,
    projects: createProjectService({ store, onQueued: projectJobs.wake, onStopped: projectJobs.cancel }),
    projectExports: createProjectExports(store, uploads),
  };
}
