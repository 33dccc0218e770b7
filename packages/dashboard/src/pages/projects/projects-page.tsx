import { useRoute } from "../../lib/router.tsx";
import { ProjectList } from "./project-list.tsx";
import { ProjectPage } from "./project-page.tsx";
import "./projects.css";

/** The projects of the account, or one of them when the address names it. */
export default function ProjectsPage() {
  const { item } = useRoute();
  return item === "" ? <ProjectList /> : <ProjectPage key={item} id={item} />;
}
