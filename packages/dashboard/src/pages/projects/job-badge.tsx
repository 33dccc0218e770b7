import type { ProjectJob } from "@parlance/protocol";

const LOOKS: Readonly<Record<ProjectJob, readonly [string, string] | undefined>> = {
  idle: undefined,
  waiting: ["waiting", ""],
  running: ["speaking", "accent"],
  failed: ["failed", "bad"],
};

/** Whether a project is being spoken. */
export function JobBadge({ job }: { readonly job: ProjectJob }) {
  const look = LOOKS[job];
  return look === undefined ? null : <span className={`badge ${look[1]}`}>{look[0]}</span>;
}
