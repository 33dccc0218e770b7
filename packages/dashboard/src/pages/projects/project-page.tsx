import type { ProjectRecord } from "@parlance/protocol";
import { formatBytes } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { type Loaded, useLoad } from "../../lib/use-load.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { DeleteButton } from "../../ui/delete-button.tsx";
import { RecordPage } from "../../ui/record-page.tsx";
import { namedVoice } from "../voices/named-voice.ts";
import { useVoices } from "../voices/use-voices.ts";
import { ChapterView } from "./chapter-view.tsx";
import { withProgress } from "./edit-chapters.ts";
import { ExportCard } from "./export-card.tsx";
import { ProjectProgress } from "./project-progress.tsx";
import { ProjectSettings } from "./project-settings.tsx";
import { SpeakerList } from "./speaker-list.tsx";
import { useListen } from "./use-listen.ts";
import { useProjectActions } from "./use-project-actions.ts";

const REFRESH_MS = 1500;

export function ProjectPage({ id }: { readonly id: string }) {
  const project = useLoad((signal) => client.projects.get(id, { signal }), [id]);
  useProgress(id, project);
  return (
    <RecordPage
      title={project.data?.title ?? "Project"}
      loaded={project}
      what="project"
      list={{ to: "projects", label: "All projects" }}
      missingHint="It may have been deleted."
    >
      {(data) => <Project project={data} loaded={project} />}
    </RecordPage>
  );
}

/** Follows the work on a project. Its text, which may be megabytes, is loaded again only where it may have changed. */
function useProgress(id: string, { data, error, put, reload }: Loaded<ProjectRecord>): void {
  const { run } = useAction(async (signal) => {
    const progress = await client.projects.progress(id, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // Also while the server is being restarted: the work continues by itself, and so does the page.
    if (progress === undefined || error !== undefined || progress.updated_at !== data?.updated_at) reload();
    else put((project) => withProgress(project, progress));
  });
  useRefresh(run, data?.job === "waiting" || data?.job === "running", REFRESH_MS);
}

interface ProjectProps {
  readonly project: ProjectRecord;
  readonly loaded: Loaded<ProjectRecord>;
}

function Project({ project, loaded }: ProjectProps) {
  const actions = useProjectActions(project._id, loaded);
  const listen = useListen(project);
  const voices = useVoices();
  const titleOf = (id: string) => (id === "" ? "" : (namedVoice(voices.data ?? [], id)?.title ?? id));
  const { update } = actions;
  return (
    <div className="split">
      <div className="stack">
        <ProjectProgress project={project} actions={actions} listen={listen} />
        <ChapterView project={project} actions={actions} listen={listen} titleOf={titleOf} />
      </div>
      <div className="stack">
        <ProjectSettings project={project} update={update} />
        <SpeakerList project={project} update={update} titleOf={titleOf} />
        <ExportCard project={project} />
        <DeleteProject project={project} />
      </div>
    </div>
  );
}

function DeleteProject({ project }: { readonly project: ProjectRecord }) {
  return (
    <div className="row apart">
      <span className="small soft">{formatBytes(project.audio_bytes)} of audio</span>
      <DeleteButton
        label="Delete the project"
        title={project.title}
        kind="project"
        work={(signal) => client.projects.delete(project._id, { signal })}
        next="projects"
      />
    </div>
  );
}
