import type { VoiceAliasRecord } from "@parlance/protocol";
import { useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { TableHead } from "../../ui/table-head.tsx";

/** Voice ids of other servers, and the voices that speak for them here. */
export function VoiceAliases() {
  const [referenceId, setReferenceId] = useState("");
  const [voice, setVoice] = useState("");
  const aliases = useLoad((signal) => client.admin.voiceAliases.list({ signal }), []);
  const save = useAction(async (signal) => {
    const items = await client.admin.voiceAliases.put(referenceId, voice, { signal });
    aliases.put(() => items);
    setReferenceId("");
  });
  const remove = useAction(async (signal, id: string) => {
    const items = await client.admin.voiceAliases.remove(id, { signal });
    aliases.put(() => items);
  });
  return (
    <section className="card stack" aria-label="Voice aliases">
      <p className="soft">
        Clients of other servers send voice ids that do not exist here. A request for such an id is spoken by its voice
        in this table.
      </p>
      <Form action={save}>
        <TextField
          label="Voice id"
          required
          maxLength={200}
          value={referenceId}
          hint="The id that clients send. * is every other unknown id."
          onChange={(event) => setReferenceId(event.target.value)}
        />
        <TextField
          label="Spoken by"
          required
          maxLength={200}
          value={voice}
          hint="The id or short name of a voice of this server."
          onChange={(event) => setVoice(event.target.value)}
        />
        <div className="row">
          <Button type="submit" look="primary" busy={save.busy}>
            Save alias
          </Button>
        </div>
      </Form>
      <Fault error={aliases.error ?? save.error ?? remove.error} retry={aliases.reload} />
      {aliases.data === undefined && aliases.loading && <Loading what="the voice aliases" />}
      {aliases.data?.length === 0 && (
        <Empty icon="voices" title="No voice aliases">
          <p>
            An alias lets a voice of this server speak for an id of another service, so that its clients need no change.
            The id * stands for every unknown voice.
          </p>
        </Empty>
      )}
      {aliases.data !== undefined && aliases.data.length > 0 && (
        <AliasTable aliases={aliases.data} onRemove={(id) => void remove.run(id)} />
      )}
    </section>
  );
}

interface AliasTableProps {
  readonly aliases: readonly VoiceAliasRecord[];
  readonly onRemove: (referenceId: string) => void;
}

function AliasTable({ aliases, onRemove }: AliasTableProps) {
  return (
    <table className="table">
      <TableHead columns={["Voice id", "Spoken by"]} />
      <tbody>
        {aliases.map(({ reference_id, voice, source }) => (
          <tr key={reference_id}>
            <td data-label="Voice id">
              <code>{reference_id}</code>
            </td>
            <td data-label="Spoken by">{voice}</td>
            <td className="end">
              {source === "setting" ? (
                <span className="small soft">PARLANCE_VOICE_ALIASES</span>
              ) : (
                <Button
                  look="quiet"
                  aria-label={`Remove the alias ${reference_id}`}
                  onClick={() => onRemove(reference_id)}
                >
                  Remove
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
