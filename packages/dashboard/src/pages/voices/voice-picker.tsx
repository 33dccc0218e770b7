import { Link } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { SelectField } from "../../ui/field.tsx";
import { Fault } from "../../ui/notice.tsx";
import { SampleButton } from "./sample-button.tsx";

interface VoicePickerProps {
  /** The id of the voice; "" is the server's default. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

const MAX_VOICES = 100;

/** Selects a voice: the user's own come first, and each has a sample to play. */
export function VoicePicker({ value, onChange }: VoicePickerProps) {
  const voices = useLoad(async (signal) => {
    const [own, all] = await Promise.all([
      client.voices.list({ self: true, page_size: MAX_VOICES }, { signal }),
      client.voices.list({ page_size: MAX_VOICES }, { signal }),
    ]);
    const ownIds = new Set(own.items.map((voice) => voice._id));
    return { own: own.items, others: all.items.filter((voice) => !ownIds.has(voice._id)) };
  }, []);
  const { own = [], others = [] } = voices.data ?? {};
  const chosen = [...own, ...others].find((voice) => voice._id === value);
  return (
    <div className="stack tight">
      <SelectField
        label="Voice"
        aside={<Link to="voices">All voices</Link>}
        value={chosen ? value : ""}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">Default voice</option>
        {own.length > 0 && (
          <optgroup label="Yours">
            {own.map((voice) => (
              <option key={voice._id} value={voice._id} disabled={voice.state !== "trained"}>
                {voice.title}
                {voice.state === "trained" ? "" : ` (${voice.state})`}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Catalogue">
          {others.map((voice) => (
            <option key={voice._id} value={voice._id}>
              {voice.title} · {voice.languages.join(", ")}
            </option>
          ))}
        </optgroup>
      </SelectField>
      {chosen && <SampleButton voice={chosen} />}
      <Fault error={voices.error} retry={voices.reload} />
    </div>
  );
}
