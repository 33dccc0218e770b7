import { AV_LOG_QUIET } from "node-av/constants";
import { Log } from "node-av/lib";
import { exitWithParent } from "../../lib/child-process.ts";
import { createResourceGuard } from "../decode/resource-guard.ts";
import type { FromPacketDecoder, ToPacketDecoder } from "./messages.ts";
import { createPacketDecoder, type PacketDecoder } from "./packet-decoder.ts";

/** The process that decodes Opus packets of clients. A crash affects no other process. */

const MEMORY_MB = 768;
const streams = new Map<number, PacketDecoder>();

(await createResourceGuard()).arm({ memoryMb: MEMORY_MB });
// Damaged packets are no concern of the log.
Log.setLevel(AV_LOG_QUIET);

process.on("message", (message: ToPacketDecoder) => {
  const { stream } = message;
  if (message.type === "close") {
    streams.get(stream)?.close();
    streams.delete(stream);
    return;
  }
  const decoder = streams.get(stream) ?? createPacketDecoder();
  streams.set(stream, decoder);
  const answer: FromPacketDecoder = { request: message.request, samples: decoder.decode(message.packets) };
  if (process.connected) process.send?.(answer, () => {});
});
exitWithParent();
