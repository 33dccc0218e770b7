import { newTrace, type Transcript as Result } from "@parlance/client";
import { toSrt, toVtt } from "@parlance/protocol";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { decodeRecording } from "../../audio/decode.ts";
import { PlayControls } from "../../audio/play-controls.tsx";
import { SpokenText } from "../../audio/spoken-text.tsx";
import { createStreamPlayer, type StreamPlayer } from "../../audio/stream-player.ts";
import { usePlayerState } from "../../audio/use-player-state.ts";
import { useRecorder } from "../../audio/use-recorder.ts";
import { Waveform } from "../../audio/waveform.tsx";
import { formatBytes, formatClock } from "../../lib/format.ts";
import { saveFile } from "../../lib/save-file.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { useStored } from "../../lib/use-stored.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Fault, Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { TraceLink } from "../../ui/trace-link.tsx";

interface Transcribed {
  readonly file: File;
  readonly result: Result;
  readonly traceId: string;
}

export default function TranscribePage() {
  const [file, setFile] = useState<File>();
  const [language, setLanguage] = useStored("transcribe.language", "");
  const [granularity, setGranularity] = useStored("transcribe.granularity", "word");
  const [progress, setProgress] = useState(0);
  const [transcribed, setTranscribed] = useState<Transcribed>();
  const action = useAction(async (signal, recording: File) => {
    setProgress(0);
    setTranscribed(undefined);
    // A long recording is sent in parts that share one trace.
    const { traceId, traceparent } = newTrace();
    const result = await client.asr.long(recording, {
      traceparent,
      ...(language.trim() === "" ? {} : { language: language.trim() }),
      granularity: granularity === "word" ? "word" : "segment",
      onProgress: ({ seconds, total }) => setProgress(total ? seconds / total : 0),
      signal,
    });
    setTranscribed({ file: recording, result, traceId });
  });
  const transcribe = (recording: File | undefined) => {
    if (recording === undefined) return;
    setFile(recording);
    void action.run(recording);
  };
  return (
    <Page title="Transcribe" lead="Upload a recording of any length, or record one.">
      <div className="split">
        <div className="stack">
          <RecordingInput onFile={transcribe} busy={action.busy} />
          {action.busy && file && (
            <section className="card stack" aria-label="Progress">
              <div className="row apart">
                <span className="cut">
                  {file.name} <span className="soft">{formatBytes(file.size)}</span>
                </span>
                <Button icon="stop" onClick={action.cancel}>
                  Cancel
                </Button>
              </div>
              {/* Without a value the bar is indeterminate: a single part reports no progress. */}
              <progress aria-label="Transcribed" max={1} {...(progress > 0 ? { value: progress } : {})} />
            </section>
          )}
          <Fault error={action.error} {...(file ? { retry: () => transcribe(file) } : {})} />
          {transcribed ? (
            <Transcript key={transcribed.file.name + transcribed.file.lastModified} transcribed={transcribed} />
          ) : (
            !action.busy && (
              <div className="card">
                <Empty icon="transcribe" title="Nothing transcribed yet">
                  <p>The transcript appears here, with a timestamp for every word.</p>
                </Empty>
              </div>
            )
          )}
        </div>
        <section className="card stack" aria-label="Settings">
          <TextField
            label="Language"
            value={language}
            maxLength={8}
            placeholder="detected"
            hint="A code such as en, es or de. Leave it empty to detect the language."
            onChange={(event) => setLanguage(event.target.value)}
          />
          <SelectField label="Timestamps" value={granularity} onChange={(event) => setGranularity(event.target.value)}>
            <option value="word">per word</option>
            <option value="segment">per phrase (for subtitles)</option>
          </SelectField>
        </section>
      </div>
    </Page>
  );
}

function RecordingInput({
  onFile,
  busy,
}: {
  readonly onFile: (file: File | undefined) => void;
  readonly busy: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const recorder = useRecorder();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is an alternative to the button.
    <section
      className={`card drop ${over ? "over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" />
      <p>Drop an audio file here: wav, mp3, opus, flac, m4a, webm…</p>
      <div className="row">
        <Button
          look="primary"
          icon="upload"
          disabled={busy || recorder.recording}
          onClick={() => input.current?.click()}
        >
          Choose a file
        </Button>
        {recorder.recording ? (
          <Button look="danger" icon="stop" onClick={async () => onFile(await recorder.stop())}>
            Stop and transcribe ({formatClock(recorder.seconds)})
          </Button>
        ) : (
          <Button icon="record" disabled={busy} onClick={() => void recorder.start()}>
            Record
          </Button>
        )}
      </div>
      {recorder.recording && (
        <div className="meter" style={{ width: "12rem" }}>
          <div style={{ width: `${recorder.level * 100}%` }} />
        </div>
      )}
      <Fault error={recorder.error} />
      <input
        ref={input}
        type="file"
        hidden
        accept="audio/*,video/mp4,video/webm,.opus,.amr"
        aria-label="Audio file"
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </section>
  );
}

function Transcript({ transcribed: { file, result, traceId } }: { readonly transcribed: Transcribed }) {
  const { player, unplayable } = useRecording(file);
  const state = usePlayerState(player);
  const name = file.name.replace(/\.[^.]*$/, "") || "transcript";
  const downloads = [
    ["txt", () => `${result.text}\n`, "text/plain"],
    ["srt", () => toSrt(result.segments), "application/x-subrip"],
    ["vtt", () => toVtt(result.segments), "text/vtt"],
    ["json", () => JSON.stringify(result, null, 2), "application/json"],
  ] as const;
  const seek = (seconds: number) => {
    player?.seek(seconds);
    player?.play();
  };
  return (
    <section className="card stack" aria-label="Transcript" data-state={state.state}>
      <div className="row apart">
        <h2 className="cut">{file.name}</h2>
        <span className="soft number">
          {formatClock(result.duration)} · {result.language ?? "no speech"}
        </span>
      </div>
      {unplayable && <Notice tone="warn">The browser cannot play this format. The transcript is complete.</Notice>}
      {player && (
        <>
          <Waveform wave={player} live={state.moving} onSeek={player.seek} />
          <PlayControls player={player} state={state} />
        </>
      )}
      {result.text === "" ? (
        <p className="soft">No speech was found in this recording.</p>
      ) : (
        <SpokenText words={result.segments} position={() => player?.position ?? -1} live={state.moving} onSeek={seek} />
      )}
      <div className="row">
        {downloads.map(([kind, write, type]) => (
          <Button key={kind} icon="download" onClick={() => saveFile(`${name}.${kind}`, write(), type)}>
            {kind}
          </Button>
        ))}
        <TraceLink id={traceId} operation="asr" />
      </div>
    </section>
  );
}

/** A player for the recording. */
function useRecording(file: File): { readonly player: StreamPlayer | undefined; readonly unplayable: boolean } {
  const [player, setPlayer] = useState<StreamPlayer>();
  const [unplayable, setUnplayable] = useState(false);
  useEffect(() => {
    let cancelled = false;
    let newPlayer: StreamPlayer | undefined;
    decodeRecording(file).then(
      ({ samples, sampleRate }) => {
        if (cancelled) return;
        newPlayer = createStreamPlayer(sampleRate);
        newPlayer.pause();
        newPlayer.push(samples);
        newPlayer.end();
        setPlayer(newPlayer);
      },
      () => setUnplayable(true),
    );
    return () => {
      cancelled = true;
      newPlayer?.close();
    };
  }, [file]);
  return { player, unplayable };
}
