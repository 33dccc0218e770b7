import { type AudioFrame, LIVE_PATH, LIVE_TIMESTAMPS_PATH, timestampFields } from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { chooseSocket } from "./choose-socket.ts";
import { manageSocket } from "./live-connection.ts";
import type { Live, LiveConnection, LiveFrame, LiveRequest, SocketOptions, TimedLiveFrame } from "./types.ts";

export function createLive(connection: Connection, defaultModel: string | undefined, given?: typeof WebSocket): Live {
  const { open, setsHeaders } = chooseSocket(given);

  async function openConnection(
    { model = defaultModel, timestamps = false }: SocketOptions,
    call: CallOptions,
    onFinish: (live: LiveConnection) => void,
  ): Promise<LiveConnection> {
    if (model !== undefined && !setsHeaders)
      throw new Error(`model ${model}: it cannot be sent, because the WebSocket of browsers sets no headers`);
    let live: LiveConnection | undefined;
    const { timeoutMs } = connection;
    const url = connection.base.replace(/^http/, "ws") + (timestamps ? LIVE_TIMESTAMPS_PATH : LIVE_PATH);
    const headers = { ...connection.headers(call), ...(model === undefined ? {} : { model }) };
    const toFrame = timestamps ? timedFrame : plainFrame;
    await open({ url, headers, timeoutMs, signal: call.signal }, (socket) => {
      const managed = manageSocket<LiveFrame>(socket, { timeoutMs, toFrame, signal: call.signal, onFinish });
      live = managed.connection;
      return managed.events;
    });
    if (live === undefined) throw new Error("the socket was opened without being attached");
    return live;
  }

  async function speakOnce({ model, timestamps, ...request }: LiveRequest = {}, call: CallOptions = {}) {
    const live = await openConnection({ model, timestamps }, call, (done) => void done.close());
    return live.round(request);
  }
  const connect = (options: SocketOptions = {}, call: CallOptions = {}) => openConnection(options, call, () => {});
  // Both return timed frames exactly when timestamps were requested, as the overloads declare.
  return Object.assign(speakOnce, { connect }) as Live;
}

/** A copy: the received bytes are part of a larger buffer, which would stay in memory with them. */
function plainFrame({ audio, time }: AudioFrame): LiveFrame {
  return { audio: new Uint8Array(audio), time };
}

function timedFrame(frame: AudioFrame): TimedLiveFrame {
  return { ...plainFrame(frame), ...timestampFields.parse(frame) };
}
