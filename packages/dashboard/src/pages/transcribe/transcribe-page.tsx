import { useStored } from "../../lib/use-stored.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { CaptionsCard } from "./captions-card.tsx";
import { JobList } from "./job-list.tsx";
import { addRecordings, useQueue } from "./queue.ts";
import { RecordingInput } from "./recording-input.tsx";
import { Transcript } from "./transcript.tsx";

const SPEAKER_COUNTS = [2, 3, 4, 5, 6, 7, 8];

export default function TranscribePage() {
  const [language, setLanguage] = useStored("transcribe.language", "");
  const [granularity, setGranularity] = useStored("transcribe.granularity", "word");
  const { jobs, shown } = useQueue();
  const job = jobs.find(({ id }) => id === shown);
  const [speakers, setSpeakers] = useStored("transcribe.speakers", "false");
  const add = (files: readonly File[]) =>
    addRecordings(files, {
      language: language.trim(),
      granularity: granularity === "word" ? "word" : "segment",
      speakers: /^\d+$/.test(speakers) ? Number(speakers) : speakers === "true",
    });
  return (
    <Page title="Transcribe" lead="Upload recordings of any length, or record one.">
      <div className="split">
        <div className="stack">
          <RecordingInput onFiles={add} />
          <CaptionsCard language={language.trim()} />
          {jobs.length > 0 && <JobList jobs={jobs} shown={shown} />}
          {job?.result && <Transcript key={job.id} job={{ ...job, result: job.result }} />}
          {jobs.length === 0 && (
            <div className="card">
              <Empty icon="transcribe" title="Nothing transcribed yet">
                <p>
                  Choose files, record yourself, or start captions. The transcript appears here with a timestamp for
                  every word: click one to listen, name the speakers, and correct the text.
                </p>
              </Empty>
            </div>
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
          <SelectField
            label="Speakers"
            value={speakers}
            hint="Who says what. Names can be given afterwards."
            onChange={(event) => setSpeakers(event.target.value)}
          >
            <option value="false">not identified</option>
            <option value="true">identified</option>
            {SPEAKER_COUNTS.map((count) => (
              <option key={count} value={count}>
                {count} people
              </option>
            ))}
          </SelectField>
        </section>
      </div>
    </Page>
  );
}
