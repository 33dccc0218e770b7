import { ApiError } from "@parlance/client";
import type { ReactNode } from "react";
import { Link } from "../lib/router.tsx";
import type { Loaded } from "../lib/use-load.ts";
import { Icon, type IconName } from "./icon.tsx";
import { Empty, Fault, Loading } from "./notice.tsx";
import { Page } from "./page.tsx";

interface RecordPageProps<Data> {
  readonly title: string;
  readonly loaded: Loaded<Data>;
  /** What it shows, in one word. */
  readonly what: string;
  /** The list that it belongs to: its route, which is also the name of its icon, and its label. */
  readonly list: { readonly to: string & IconName; readonly label: string };
  /** Why there may be no such record. */
  readonly missingHint: string;
  readonly children: (data: Data) => ReactNode;
}

/** The page of one record of a list: the way back, and the record, or why it is not shown. */
export function RecordPage<Data>({ title, loaded, what, list, missingHint, children }: RecordPageProps<Data>) {
  const missing = loaded.error instanceof ApiError && loaded.error.status === 404;
  return (
    <Page title={title}>
      <div className="stack">
        <div>
          <Link className="button" to={list.to}>
            <Icon name={list.to} /> {list.label}
          </Link>
        </div>
        {loaded.data === undefined && loaded.loading && <Loading what={`the ${what}`} />}
        {missing ? (
          <section className="card">
            <Empty icon="search" title={`There is no such ${what}`}>
              <p>{missingHint}</p>
            </Empty>
          </section>
        ) : (
          <Fault error={loaded.error} retry={loaded.reload} />
        )}
        {loaded.data !== undefined && !missing && children(loaded.data)}
      </div>
    </Page>
  );
}
