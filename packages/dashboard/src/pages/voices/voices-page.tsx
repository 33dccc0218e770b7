import type { VoiceModel, VoiceOrder } from "@parlance/protocol";
import { useDeferredValue, useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { go } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useSession } from "../../lib/session.ts";
import { useAction } from "../../lib/use-action.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Options, SelectField, TextField } from "../../ui/field.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { CreateVoiceDialog } from "./create-voice-dialog.tsx";
import { EditVoiceDialog } from "./edit-voice-dialog.tsx";
import { SampleButton } from "./sample-button.tsx";
import { voiceLanguages } from "./voice-languages.ts";

const PAGE_SIZE = 24;
const SCOPES = [
  { value: "all", label: "Catalog" },
  { value: "own", label: "Mine" },
] as const;

type Open = { readonly what: "create" } | { readonly what: "edit" | "delete"; readonly voice: VoiceModel };

export default function VoicesPage() {
  const [scope, setScope] = useState<(typeof SCOPES)[number]["value"]>("all");
  const [title, setTitle] = useState("");
  const [language, setLanguage] = useState("");
  const [order, setOrder] = useState<VoiceOrder>("score");
  const [page, setPage] = useState(1);
  const [open, setOpen] = useState<Open>();
  const showToast = useToast();
  const searched = useDeferredValue(title);
  const voices = useLoad(
    (signal) =>
      client.voices.list(
        {
          title: searched,
          language,
          ...(scope === "own" ? { self: true } : {}),
          sort_by: order,
          page_number: page,
          page_size: PAGE_SIZE,
        },
        { signal },
      ),
    [scope, searched, language, order, page],
  );
  const languages = useLoad((signal) => voiceLanguages((query) => client.voices.list(query, { signal })), []);
  const withFirstPage = <Value,>(set: (value: Value) => void) => {
    return (value: Value) => {
      set(value);
      setPage(1);
    };
  };
  const close = () => setOpen(undefined);
  const create = (
    <Button look="primary" icon="plus" onClick={() => setOpen({ what: "create" })}>
      Clone a voice
    </Button>
  );
  return (
    <Page title="Voices" lead="Choose a voice for your speech, or clone one." actions={create}>
      <div className="stack">
        <section className="card row" aria-label="Filters" style={{ alignItems: "end" }}>
          <Tabs label="Which voices" value={scope} options={SCOPES} onChange={withFirstPage(setScope)} />
          <div className="grow" style={{ minWidth: "12rem" }}>
            <TextField
              label="Search"
              type="search"
              value={title}
              placeholder="Title"
              onChange={(event) => withFirstPage(setTitle)(event.target.value)}
            />
          </div>
          <SelectField
            label="Language"
            value={language}
            onChange={(event) => withFirstPage(setLanguage)(event.target.value)}
          >
            <option value="">any</option>
            <Options values={languages.data ?? []} />
          </SelectField>
          <SelectField
            label="Order"
            value={order}
            onChange={(event) => withFirstPage(setOrder)(event.target.value as VoiceOrder)}
          >
            <option value="score">best first</option>
            <option value="task_count">most used</option>
            <option value="created_at">newest</option>
          </SelectField>
        </section>
        <Fault error={voices.error} retry={voices.reload} />
        {voices.data === undefined && voices.loading && <Loading what="the voices" />}
        {voices.data?.items.length === 0 && (
          <Empty icon="voices" title={scope === "own" ? "You have no voices yet" : "No matching voices"}>
            {scope === "own" ? (
              <>
                <p>Ten seconds of one speaker, recorded here or in a file, are enough for a voice.</p>
                {create}
              </>
            ) : (
              <p>Search for part of a name, a language or a tag.</p>
            )}
          </Empty>
        )}
        <ul className="tiles">
          {voices.data?.items.map((voice) => (
            <VoiceCard
              key={voice._id}
              voice={voice}
              onLiked={(changed) =>
                voices.put((all) => ({
                  ...all,
                  items: all.items.map((each) => (each._id === changed._id ? changed : each)),
                }))
              }
              onOpen={(what) => setOpen({ what, voice })}
            />
          ))}
        </ul>
        {voices.data && <Pager page={page} size={PAGE_SIZE} total={voices.data.total} onChange={setPage} />}
      </div>
      {open?.what === "create" && (
        <CreateVoiceDialog
          onClose={close}
          onCreated={() => {
            withFirstPage(setScope)("own");
            voices.reload();
            showToast("The voice is ready");
          }}
        />
      )}
      {open?.what === "edit" && (
        <EditVoiceDialog
          voice={open.voice}
          onClose={close}
          onSaved={() => {
            voices.reload();
            showToast("Saved");
          }}
        />
      )}
      {open?.what === "delete" && (
        <Confirm
          title={`Delete “${open.voice.title}”?`}
          verb="Delete the voice"
          onClose={close}
          work={async (signal) => {
            await client.voices.delete(open.voice._id, { signal });
            voices.reload();
            showToast("The voice and its recordings are deleted");
          }}
        >
          <p>Its recordings, its samples and everything derived from them are deleted. This cannot be undone.</p>
        </Confirm>
      )}
    </Page>
  );
}

interface VoiceCardProps {
  readonly voice: VoiceModel;
  readonly onLiked: (voice: VoiceModel) => void;
  readonly onOpen: (what: "edit" | "delete") => void;
}

function VoiceCard({ voice, onLiked, onOpen }: VoiceCardProps) {
  const { account } = useSession();
  const isOwn = voice.author._id === account._id;
  const like = useAction(async (signal) => onLiked(await client.voices.like(voice._id, !voice.liked, { signal })));
  const speak = () => {
    window.localStorage.setItem("parlance.speak.voice", JSON.stringify(voice._id));
    go("speak");
  };
  return (
    <li className="card voice">
      <div className="row apart">
        <h2 className="cut" title={voice.title}>
          {voice.title}
        </h2>
        <Button
          look="quiet"
          icon="heart"
          className={voice.liked ? "liked" : ""}
          aria-pressed={voice.liked}
          aria-label={`Like ${voice.title}, ${voice.like_count} so far`}
          busy={like.busy}
          onClick={() => void like.run()}
        >
          {formatNumber(voice.like_count)}
        </Button>
      </div>
      <p className="small soft grow">{voice.description}</p>
      <p className="row small">
        {voice.languages.map((code) => (
          <span key={code} className="badge accent">
            {code}
          </span>
        ))}
        {voice.tags.map((tag) => (
          <span key={tag} className="badge">
            {tag}
          </span>
        ))}
        {isOwn && <span className="badge">{voice.visibility}</span>}
        {voice.state !== "trained" && (
          <span className={`badge ${voice.state === "failed" ? "bad" : "warn"}`}>{voice.state}</span>
        )}
      </p>
      <Fault error={like.error} />
      <div className="row">
        <SampleButton voice={voice} />
        {voice.state === "trained" && (
          <Button look="quiet" icon="speak" onClick={speak}>
            Speak
          </Button>
        )}
        {isOwn && (
          <>
            <Button look="quiet" icon="edit" aria-label={`Edit ${voice.title}`} onClick={() => onOpen("edit")} />
            <Button look="quiet" icon="trash" aria-label={`Delete ${voice.title}`} onClick={() => onOpen("delete")} />
          </>
        )}
      </div>
    </li>
  );
}
