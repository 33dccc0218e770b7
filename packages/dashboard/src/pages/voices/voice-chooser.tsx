import type { VoiceModel } from "@parlance/protocol";
import { useDeferredValue, useEffect, useRef, useState } from "react";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Empty, Fault } from "../../ui/notice.tsx";
import { SampleButton } from "./sample-button.tsx";
import { factsOf, matches } from "./voice-facts.ts";
import { VoiceMark } from "./voice-mark.tsx";

/** The entry for no voice. */
export interface NoVoice {
  readonly title: string;
  readonly facts: string;
}

interface VoiceChooserProps {
  readonly voices: readonly VoiceModel[];
  readonly value: string;
  readonly none: NoVoice;
  readonly onChoose: (id: string) => void;
  readonly onLiked: (voice: VoiceModel) => void;
  readonly onClose: () => void;
}

const MAX_SHOWN = 60;

/** A dialog to find a voice: by words, by ear and by favourites. */
export function VoiceChooser({ voices, value, none, onChoose, onLiked, onClose }: VoiceChooserProps) {
  const [search, setSearch] = useState("");
  const searched = useDeferredValue(search);
  const found = voices.filter((voice) => matches(voice, searched));
  return (
    <Dialog title="Choose a voice" onClose={onClose}>
      <TextField
        label="Search"
        type="search"
        value={search}
        placeholder="Name, language, accent, female, male"
        onChange={(event) => setSearch(event.target.value)}
      />
      <ul className="voice-list" aria-label="Voices">
        {searched === "" && (
          <li>
            <VoiceMark voice={undefined} />
            <button type="button" className="grow" aria-pressed={value === ""} onClick={() => onChoose("")}>
              <strong>{none.title}</strong>
              <span className="small soft">{none.facts}</span>
            </button>
          </li>
        )}
        {found.slice(0, MAX_SHOWN).map((voice) => (
          <VoiceRow
            key={voice._id}
            voice={voice}
            isChosen={voice._id === value}
            onChoose={() => onChoose(voice._id)}
            onLiked={onLiked}
          />
        ))}
      </ul>
      {found.length === 0 && (
        <Empty icon="search" title="No matching voices">
          <p>Search for part of a name, a language, an accent, female or male.</p>
        </Empty>
      )}
      {found.length > MAX_SHOWN && <p className="small soft">{found.length - MAX_SHOWN} more: search to find them.</p>}
    </Dialog>
  );
}

interface VoiceRowProps {
  readonly voice: VoiceModel;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onLiked: (voice: VoiceModel) => void;
}

const HOVER_MS = 500;

function VoiceRow({ voice, isChosen, onChoose, onLiked }: VoiceRowProps) {
  const like = useAction(async (signal) => onLiked(await client.voices.like(voice._id, !voice.liked, { signal })));
  const { language, accent, sex } = factsOf(voice);
  const [hovered, setHovered] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <li
      onPointerEnter={({ pointerType }) => {
        if (pointerType === "mouse") timer.current = setTimeout(() => setHovered(true), HOVER_MS);
      }}
      onPointerLeave={() => {
        clearTimeout(timer.current);
        setHovered(false);
      }}
    >
      <VoiceMark voice={voice} />
      <button
        type="button"
        className="grow"
        aria-pressed={isChosen}
        disabled={voice.state !== "trained"}
        onClick={onChoose}
      >
        <strong>{voice.title}</strong>
        <span className="small soft">
          {[language, accent, sex].filter(Boolean).join(" · ")}
          {voice.state !== "trained" && ` · ${voice.state}`}
        </span>
      </button>
      <SampleButton voice={voice} compact autoPlay={hovered} />
      <Button
        look="quiet"
        icon="heart"
        className={voice.liked ? "liked" : ""}
        aria-pressed={voice.liked}
        aria-label={`Favourite ${voice.title}`}
        busy={like.busy}
        onClick={() => void like.run()}
      />
      <CopyButton text={voice._id} label={`Copy the id of ${voice.title}`} compact />
      <Fault error={like.error} />
    </li>
  );
}
