import { AUDIO_FORMATS, type HistoryRecord } from "@parlance/protocol";
import { useState } from "react";
import { RecordedText } from "../../audio/recorded-text.tsx";
import { formatBytes, formatClock, formatDateTime } from "../../lib/format.ts";
import { go } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DeleteButton } from "../../ui/delete-button.tsx";
import { Options } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Fault } from "../../ui/notice.tsx";
import { RecordPage } from "../../ui/record-page.tsx";
import { TraceLink } from "../../ui/trace-link.tsx";
import { historyText } from "../transcribe/keep-transcript.ts";
import { TranscriptView } from "../transcribe/transcript-view.tsx";

/** One entry: its audio to play and to download, and its text. */
export function EntryView({ id }: { readonly id: string }) {
  const entry = useLoad((signal) => client.history.get(id, { signal }), [id]);
  return (
    <RecordPage
      title={entry.data?.title ?? "History"}
      loaded={entry}
      what="entry"
      list={{ to: "history", label: "All entries" }}
      missingHint="It may have been deleted, or its time is over."
    >
      {(data) => <Entry entry={data} />}
    </RecordPage>
  );
}

function Entry({ entry: loaded }: { readonly entry: HistoryRecord }) {
  const [entry, setEntry] = useState(loaded);
  const audio = useLoad(
    async (signal) =>
      entry.audio_type === null ? undefined : new Blob([await client.history.audio(entry._id, undefined, { signal })]),
    [entry._id],
  );
  const speakAgain = () => {
    window.localStorage.setItem("parlance.speak.text", JSON.stringify(entry.text));
    window.localStorage.setItem("parlance.speak.voice", JSON.stringify(entry.voice.split(" ")[0] ?? ""));
    go("speak");
  };
  const { text, words, duration, language } = entry;
  return (
    <section className="card stack" aria-label={entry.kind === "speech" ? "Kept speech" : "Kept transcript"}>
      <p className="small soft">
        {formatDateTime(entry.created_at)} · {formatClock(duration)}
        {entry.model !== "" && ` · ${entry.model}`}
        {language !== null && ` · ${language}`}
        {entry.audio_bytes > 0 && ` · ${formatBytes(entry.audio_bytes)}`} · deleted on{" "}
        {formatDateTime(entry.expires_at)}
      </p>
      <Fault error={audio.error} retry={audio.reload} />
      {entry.kind === "transcript" ? (
        <TranscriptView
          name={entry.title}
          recording={audio.data}
          {...{ text, words, duration, language }}
          save={async (edited, signal) =>
            setEntry(await client.history.update(entry._id, historyText(edited), { signal }))
          }
        />
      ) : (
        <RecordedText recording={audio.data} text={text} words={words} />
      )}
      <div className="row">
        {entry.kind === "speech" && (
          <>
            <CopyButton text={text} label="Copy the text" />
            <Button icon="speak" onClick={speakAgain}>
              Speak again
            </Button>
          </>
        )}
        {entry.audio_type !== null && <AudioDownload id={entry._id} />}
        {entry.trace_id !== null && <TraceLink id={entry.trace_id} operation="tts" />}
        <DeleteButton
          label="Delete"
          title={entry.title}
          kind="entry"
          work={(signal) => client.history.delete(entry._id, { signal })}
          next="history"
        />
      </div>
    </section>
  );
}

/** A link of the browser: large files need not fit into memory. */
function AudioDownload({ id }: { readonly id: string }) {
  const [format, setFormat] = useState("mp3");
  return (
    <span className="row">
      <select
        className="input narrow"
        aria-label="Audio format"
        value={format}
        onChange={(event) => setFormat(event.target.value)}
      >
        <Options values={AUDIO_FORMATS} />
      </select>
      <a className="button" href={`/account/history/${id}/audio?format=${format}`} download={`speech.${format}`}>
        <Icon name="download" /> Download audio
      </a>
    </span>
  );
}
