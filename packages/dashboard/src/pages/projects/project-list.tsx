import type { ProjectSummary } from "@parlance/protocol";
import { useState } from "react";
import { formatAgo, formatDateTime, formatNumber } from "../../lib/format.ts";
import { Link } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { JobBadge } from "./job-badge.tsx";
import { NewProjectDialog } from "./new-project-dialog.tsx";

const PAGE_SIZE = 20;

export function ProjectList() {
  const [page, setPage] = useState(1);
  const [creating, setCreating] = useState(false);
  const query = { page_number: page, page_size: PAGE_SIZE };
  const projects = useLoad((signal) => client.projects.list(query, { signal }), [page]);
  const isWorking = projects.data?.items.some(({ job }) => job === "waiting" || job === "running") ?? false;
  useRefresh(projects.reload, isWorking);
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      New project
    </Button>
  );
  return (
    <Page title="Projects" lead="Books, articles and scripts, spoken paragraph by paragraph." actions={create}>
      <div className="stack">
        <Fault error={projects.error} retry={projects.reload} />
        {projects.data === undefined && projects.loading && <Loading what="the projects" />}
        {projects.data?.total === 0 && (
          <div className="card">
            <Empty icon="projects" title="No projects yet">
              <p>
                Open a text, Markdown or an EPUB. Its headings become chapters. Give speakers their voices, listen
                through, speak single paragraphs again, and save an audiobook with subtitles.
              </p>
              <p>
                For a short text, the page <Link to="speak">Speak</Link> is quicker.
              </p>
            </Empty>
          </div>
        )}
        <ul className="stack tight" aria-label="Projects">
          {projects.data?.items.map((project) => (
            <ProjectRow key={project._id} project={project} />
          ))}
        </ul>
        {projects.data && <Pager page={page} size={PAGE_SIZE} total={projects.data.total} onChange={setPage} />}
      </div>
      {creating && <NewProjectDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function ProjectRow({ project }: { readonly project: ProjectSummary }) {
  return (
    <li className="card entry">
      <Icon name="projects" />
      <div className="grow">
        <Link className="cut" to={`projects/${project._id}`}>
          {project.title}
        </Link>
        <p className="small soft">
          {formatNumber(project.paragraphs)} {project.paragraphs === 1 ? "paragraph" : "paragraphs"}
        </p>
      </div>
      <JobBadge job={project.job} />
      <span className="small soft number" title={formatDateTime(project.updated_at)}>
        changed {formatAgo(project.updated_at)}
      </span>
    </li>
  );
}
