import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { it } from "node:test";
import { type DecodedPacket, decode, encode } from "dns-packet";
import { announce } from "./announcement.ts";

const GROUP = "224.0.0.251";
const SERVICE = "_wyoming._tcp.local";

it("answers a search for Wyoming services with port and address, and withdraws the announcement", {
  timeout: 20_000,
}, async () => {
  const client = createSocket({ type: "udp4", reuseAddr: true });
  client.bind(0, "0.0.0.0");
  await once(client, "listening");
  const { port: udpPort } = client.address();
  client.addMembership(GROUP, "127.0.0.1");
  client.setMulticastInterface("127.0.0.1");
  const packets: DecodedPacket[] = [];
  let wake = (): void => {};
  const damaged = Buffer.of(1, 2, 3);
  client.on("message", (message) => {
    // What is sent to the group also arrives here.
    if (!message.equals(damaged)) packets.push(decode(message));
    wake();
  });
  const response = async (matches: (packet: DecodedPacket) => boolean): Promise<DecodedPacket> => {
    for (;;) {
      const found = packets.splice(0).find((packet) => packet.type === "response" && matches(packet));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };

  const faults: unknown[] = [];
  const announcement = await announce(10_200, { host: "127.0.0.1", udpPort, onFault: (error) => faults.push(error) });
  const recordsOf = ({ answers = [], additionals = [] }: DecodedPacket) => [...answers, ...additionals];
  try {
    const unasked = await response(() => true);
    assert.ok(
      recordsOf(unasked).some(({ type }) => type === "SRV"),
      "announced at the start",
    );
    client.send(damaged, udpPort, GROUP);
    client.send(encode({ type: "query", questions: [{ type: "A", name: "other.local" }] }), udpPort, GROUP);
    client.send(encode({ type: "query", questions: [{ type: "PTR", name: SERVICE }] }), udpPort, GROUP);
    const answer = await response(({ additionals = [] }) => additionals.length > 0);
    assert.deepEqual(
      answer.answers?.map(({ type, name }) => [type, name]),
      [["PTR", SERVICE]],
    );
    const service = recordsOf(answer).find(({ type }) => type === "SRV");
    assert.ok(service?.type === "SRV" && service.name.endsWith(SERVICE));
    assert.equal(service.data.port, 10_200);
    const address = recordsOf(answer).find(({ type }) => type === "A");
    assert.ok(address?.type === "A");
    assert.deepEqual([address.name, address.data], [service.data.target, "127.0.0.1"]);
  } finally {
    await announcement.close();
  }
  await response((packet) => recordsOf(packet).every((record) => "ttl" in record && record.ttl === 0));
  assert.deepEqual(faults, []);
  client.close();
});
