import { useAction } from "../lib/use-action.ts";
import { Button } from "./button.tsx";
import { Empty, Fault } from "./notice.tsx";
import { Page } from "./page.tsx";

/** Shown instead of a page that could not be loaded. */
export function ReloadOffer() {
  const reload = useAction(async (signal) => {
    // A reload without a server would replace the app with an error page of the browser.
    const response = await fetch("/", { cache: "no-store", signal }).catch(() => {
      throw new Error("The server cannot be reached. Is it running?");
    });
    if (!response.ok) throw new Error(`The server responds with status ${response.status}.`);
    window.location.reload();
  });
  return (
    <Page title="This page could not be loaded">
      <section className="card stack">
        <Empty icon="warning" title="Reload to go on">
          <p>The server could not be reached, or it was upgraded after this tab was opened. Typed text is kept.</p>
          <Button look="primary" icon="refresh" busy={reload.busy} onClick={() => void reload.run()}>
            Reload
          </Button>
        </Empty>
        <Fault error={reload.error} />
      </section>
    </Page>
  );
}
