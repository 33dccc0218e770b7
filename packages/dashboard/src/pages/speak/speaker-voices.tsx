import { VoicePicker } from "../voices/voice-picker.tsx";

interface SpeakerVoicesProps {
  /** The highest number of a speaker in the text. */
  readonly last: number;
  /** By number, from speaker 1 on. */
  readonly voices: readonly string[];
  readonly engine: string | undefined;
  readonly onChange: (voices: readonly string[]) => void;
}

/** The voices of `<|speaker:1|>` and so on. Speaker 0 has the voice of the page. */
export function SpeakerVoices({ last, voices, engine, onChange }: SpeakerVoicesProps) {
  if (last === 0) return null;
  const numbers = Array.from({ length: last }, (_, index) => index);
  return (
    <details open>
      <summary>Voices of the speakers</summary>
      <div className="stack">
        {numbers.map((index) => (
          <VoicePicker
            key={index}
            label={`Speaker ${index + 1}`}
            value={voices[index] ?? ""}
            engine={engine}
            onChange={(id) => onChange(numbers.map((each) => (each === index ? id : (voices[each] ?? ""))))}
          />
        ))}
      </div>
    </details>
  );
}
