import assert from "node:assert/strict";
import { it } from "node:test";
import { encodeLiveFrame } from "@parlance/protocol";
import { manageSocket } from "./live-connection.ts";
import type { Socket } from "./socket.ts";

// A simulated socket: with a real one, it is not certain that a finish arrives together with the audio before it.
it("keeps reading after a finish, although earlier audio has not been read", async () => {
  let paused = false;
  const socket: Socket = {
    traceId: undefined,
    buffered: 0,
    send() {},
    pause() {
      paused = true;
    },
    resume() {
      paused = false;
    },
    close() {},
    destroy() {},
  };
  const { connection, events } = manageSocket(socket, {
    timeoutMs: 1000,
    toFrame: ({ audio, time }) => ({ audio: new Uint8Array(audio), time }),
    signal: undefined,
    onFinish() {},
  });
  const unread = connection.round();
  unread.stop();
  const audio = new Uint8Array(600 * 1024);
  for (const time of [0, 1]) events.message(encodeLiveFrame({ event: "audio", audio, time }));
  assert.equal(paused, true);
  events.message(encodeLiveFrame({ event: "finish", reason: "stop" }));
  assert.equal(paused, false);

  const next = connection.round();
  events.message(encodeLiveFrame({ event: "audio", audio: Uint8Array.of(5), time: 2 }));
  events.message(encodeLiveFrame({ event: "finish", reason: "stop" }));
  const times = async (frames: AsyncIterable<{ readonly time: number }>) => {
    const all: number[] = [];
    for await (const { time } of frames) all.push(time);
    return all;
  };
  assert.deepEqual(await times(next), [2]);
  assert.deepEqual(await times(unread), [0, 1]);
});
