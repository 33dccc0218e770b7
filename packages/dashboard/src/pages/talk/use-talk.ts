import type { ConversationSession } from "@parlance/client";
import { openMicrophone } from "@parlance/client/browser";
import { useEffect, useRef, useState } from "react";
import { fromPcm } from "../../audio/samples.ts";
import { createStreamPlayer, type StreamPlayer } from "../../audio/stream-player.ts";
import { client } from "../../lib/server.ts";
import { useAction } from "../../lib/use-action.ts";
import { EMPTY_LOG, withEvent } from "./talk-log.ts";

const SAMPLE_RATE = 24_000;

export interface TalkSettings {
  readonly instructions: string;
  readonly voice: string;
}

/** The answer that is being played. */
interface Playing {
  readonly itemId: string;
  readonly player: StreamPlayer;
}

/** A conversation over the microphone and the loudspeaker. */
export function useTalk() {
  const [log, setLog] = useState(EMPTY_LOG);
  const [playing, setPlaying] = useState<Playing>();
  const current = useRef<Playing>(undefined);
  useEffect(() => () => current.current?.player.close(), []);

  function play(next: Playing | undefined): void {
    current.current?.player.close();
    current.current = next;
    setPlaying(next);
  }

  /** Barge-in: stops at once, and reports how much was played. */
  function interrupt(session: ConversationSession): void {
    const { itemId, player } = current.current ?? {};
    if (itemId === undefined || player === undefined) return;
    if (player.state !== "ended") session.truncate(itemId, player.position * 1000);
    play(undefined);
  }

  function hear(itemId: string, audio: string): void {
    if (current.current?.itemId !== itemId) play({ itemId, player: createStreamPlayer(SAMPLE_RATE) });
    current.current?.player.push(fromPcm(Uint8Array.from(atob(audio), (character) => character.charCodeAt(0))));
  }

  const action = useAction(async (signal, { instructions, voice }: TalkSettings) => {
    setLog(EMPTY_LOG);
    play(undefined);
    let sentMs = 0;
    const options = { ...(instructions.trim() === "" ? {} : { instructions }), ...(voice === "" ? {} : { voice }) };
    const session = await client.conversation(options, { signal });
    const microphone = await openMicrophone({
      sampleRate: SAMPLE_RATE,
      signal,
      onAudio(samples) {
        sentMs += (samples.length / SAMPLE_RATE) * 1000;
        session.send(samples);
      },
    });
    try {
      for await (const event of session) {
        const now = performance.now();
        if (event.type === "input_audio_buffer.speech_started") interrupt(session);
        else if (event.type === "response.output_audio.delta") hear(String(event.item_id), String(event.delta));
        else if (event.type === "response.output_audio.done") current.current?.player.end();
        setLog((before) => withEvent(before, event, now, sentMs));
      }
    } finally {
      microphone.close();
      session.close();
      play(undefined);
    }
  });

  return { log, playing, isOpen: action.busy, error: action.error, start: action.run, stop: action.cancel };
}
