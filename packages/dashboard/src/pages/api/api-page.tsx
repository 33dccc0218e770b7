import { useDeferredValue, useState } from "react";
import { useRoute } from "../../lib/router.tsx";
import { useLoad } from "../../lib/use-load.ts";
import { TextField } from "../../ui/field.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { type Operation, operationsOf, type RawAsyncApi, type RawOpenApi, socketsOf } from "./api-document.ts";
import { OperationView } from "./operation-view.tsx";
import { SocketView } from "./socket-view.tsx";
import "./api.css";

/** The API of this server, from its own documents. */
export default function ApiPage() {
  const [search, setSearch] = useState("");
  const searched = useDeferredValue(search.trim().toLowerCase());
  const { item } = useRoute();
  const documents = useLoad(async (signal) => {
    const [openApi, asyncApi] = await Promise.all(
      ["/openapi.json", "/asyncapi.json"].map((path) => read(path, signal)),
    );
    return { operations: operationsOf(openApi as RawOpenApi), sockets: socketsOf(asyncApi as RawAsyncApi) };
  }, []);
  const isShown = ({ path, summary, method, group }: Operation): boolean =>
    `${method} ${path} ${summary} ${group}`.toLowerCase().includes(searched);
  const operations = (documents.data?.operations ?? []).filter(isShown);
  const sockets = (documents.data?.sockets ?? []).filter(({ path, summary }) =>
    `${path} ${summary}`.toLowerCase().includes(searched),
  );
  const groups = [...new Set(operations.map(({ group }) => group))];
  return (
    <Page
      title="API"
      lead="Every request of this server: open one to see its fields, copy code, and try it with your session."
    >
      <div className="card stack tight">
        <TextField
          label="Search"
          type="search"
          value={search}
          placeholder="Path or words"
          onChange={(event) => setSearch(event.target.value)}
        />
        <p className="small soft">
          For tools: <a href="/openapi.json">openapi.json</a>, <a href="/asyncapi.json">asyncapi.json</a>, and
          everything on <a href="/docs">one page</a>.
        </p>
      </div>
      <Fault error={documents.error} retry={documents.reload} />
      {documents.data === undefined && documents.loading && <Loading what="the API" />}
      {groups.map((group) => (
        <section key={group} className="stack tight api-group" aria-label={group}>
          <h2>{group}</h2>
          {operations
            .filter((operation) => operation.group === group)
            .map((operation) => (
              <OperationView key={operation.id} operation={operation} isOpen={item === operation.id} />
            ))}
        </section>
      ))}
      {sockets.length > 0 && (
        <section className="stack tight api-group" aria-label="Live sockets">
          <h2>Live sockets</h2>
          {sockets.map((socket) => (
            <SocketView key={socket.id} socket={socket} />
          ))}
        </section>
      )}
      {documents.data !== undefined && operations.length + sockets.length === 0 && (
        <Empty icon="search" title="No matching request">
          <p>Search for part of a path, such as tts, or for words, such as keys.</p>
        </Empty>
      )}
    </Page>
  );
}

async function read(path: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(path, { signal });
  if (!response.ok) throw new Error(`${path}: the server answered ${response.status}`);
  return response.json();
}
