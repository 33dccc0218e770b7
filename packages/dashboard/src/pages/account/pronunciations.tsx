import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Fault, Loading } from "../../ui/notice.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { fromLines, toLines } from "./pronunciation-lines.ts";

/** How words are spoken in all speech of the account. */
export function Pronunciations() {
  const showToast = useToast();
  const saved = useLoad((signal) => client.account.pronunciations.get({ signal }), []);
  const [draft, setDraft] = useState<string>();
  const text = draft ?? toLines(saved.data?.pronunciations ?? {});
  const save = useAction(async (signal) => {
    await client.account.pronunciations.set(fromLines(text), { signal });
    showToast("The pronunciations are set");
  });
  return (
    <Form action={save} className="card stack">
      <h2>Pronunciations</h2>
      {saved.data === undefined && saved.loading && <Loading what="the list" />}
      {saved.data && (
        <TextArea
          label="Words"
          value={text}
          onChange={(event) => setDraft(event.target.value)}
          hint="One line for each word: GIF = jiff, or phonemes between slashes: Nguyen = /nwˈɪn/"
        />
      )}
      <Fault error={saved.error} retry={saved.reload} />
      <Fault error={save.error} />
      <div>
        <Button type="submit" look="primary" busy={save.busy} disabled={saved.data === undefined}>
          Set the pronunciations
        </Button>
      </div>
    </Form>
  );
}
