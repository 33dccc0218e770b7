import { ApiError } from "@parlance/client";
import { type ComponentType, type LazyExoticComponent, lazy, Suspense, useEffect } from "react";
import { useRoute } from "./lib/router.tsx";
import { client } from "./lib/server.ts";
import { SessionContext } from "./lib/session.ts";
import { signInToken } from "./lib/sign-in-token.ts";
import { resetStores } from "./lib/store.ts";
import { useLoad } from "./lib/use-load.ts";
import { SignIn } from "./pages/account/sign-in.tsx";
import { Shell } from "./shell.tsx";
import { ErrorBoundary } from "./ui/error-boundary.tsx";
import { Empty, Fault, Loading } from "./ui/notice.tsx";
import { Page } from "./ui/page.tsx";

// Each page is loaded as a separate file, so that the first one appears quickly.
const PAGES: Readonly<Record<string, LazyExoticComponent<ComponentType>>> = {
  start: lazy(() => import("./pages/start/start-page.tsx")),
  speak: lazy(() => import("./pages/speak/speak-page.tsx")),
  live: lazy(() => import("./pages/live/live-page.tsx")),
  talk: lazy(() => import("./pages/talk/talk-page.tsx")),
  transcribe: lazy(() => import("./pages/transcribe/transcribe-page.tsx")),
  projects: lazy(() => import("./pages/projects/projects-page.tsx")),
  history: lazy(() => import("./pages/history/history-page.tsx")),
  voices: lazy(() => import("./pages/voices/voices-page.tsx")),
  keys: lazy(() => import("./pages/keys/keys-page.tsx")),
  wallet: lazy(() => import("./pages/wallet/wallet-page.tsx")),
  api: lazy(() => import("./pages/api/api-page.tsx")),
  traces: lazy(() => import("./pages/traces/traces-page.tsx")),
  account: lazy(() => import("./pages/account/account-page.tsx")),
  admin: lazy(() => import("./pages/admin/admin-page.tsx")),
};

/** Shows the sign-in form, or the pages for a signed-in account. */
export function App() {
  const session = useLoad((signal) => client.account.me({ signal }), []);
  const isSignedOut = session.error instanceof ApiError && session.error.status === 401;
  useEffect(() => {
    if (isSignedOut) resetStores();
  }, [isSignedOut]);
  // A sign-in link also works while another account is signed in.
  if (isSignedOut || signInToken() !== "") {
    return <SignIn onSignedIn={session.reload} />;
  }
  if (session.data === undefined) {
    return (
      <div className="sign-in">
        <main>
          {session.error ? <Fault error={session.error} retry={session.reload} /> : <Loading what="Parlance" />}
        </main>
      </div>
    );
  }
  const account = session.data;
  const signOut = () => {
    client.account.signOut().then(session.reload, session.reload);
  };
  return (
    <SessionContext value={{ account, reload: session.reload }}>
      <Shell userName={account.email ?? account.nickname} isAdmin={account.role === "admin"} onSignOut={signOut}>
        <CurrentPage />
      </Shell>
    </SessionContext>
  );
}

function CurrentPage() {
  const { page } = useRoute();
  const Content = PAGES[page === "" ? "speak" : page];
  if (Content === undefined) {
    return (
      <Page title="Not found">
        <Empty icon="search" title="This page does not exist">
          <p>The address may be from another version. All pages are in the navigation.</p>
        </Empty>
      </Page>
    );
  }
  return (
    // The key gives each page a new chance.
    <ErrorBoundary key={page}>
      <Suspense
        fallback={
          <main className="page">
            <Loading what="the page" />
          </main>
        }
      >
        <Content />
      </Suspense>
    </ErrorBoundary>
  );
}
