import { isIPv4 } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import type { Answer } from "dns-packet";
import { doneWithin } from "../../lib/time-limit.ts";

export interface Announcement {
  /** Announces to the network that the service has ended. */
  close(): Promise<void>;
}

export interface AnnouncementOptions {
  /** The address that the port listens on. */
  readonly host: string;
  readonly onFault: (error: unknown) => void;
  /** Left out: the port of multicast DNS. */
  readonly udpPort?: number;
}

const SERVICE = "_wyoming._tcp.local";
/** The list of all kinds of services, RFC 6763. */
const SERVICE_LIST = "_services._dns-sd._udp.local";
const MULTICAST_DNS_PORT = 5353;
const TTL_SECONDS = 120;
/** The announcement is sent a second time, because a packet may be lost. */
const REPEAT_MS = 1_000;
const CLOSE_MS = 1_000;

/** Announces the port by zeroconf (multicast DNS, IPv4) as `_wyoming._tcp`, which Home Assistant searches for. */
export async function announce(port: number, options: AnnouncementOptions): Promise<Announcement> {
  const { host, onFault, udpPort = MULTICAST_DNS_PORT } = options;
  const { default: createMulticastDns } = await import("multicast-dns");
  const isAny = host === "0.0.0.0" || host === "::";
  // Multicast packets are received on the address of no interface.
  const responder = createMulticastDns({ port: udpPort, bind: "0.0.0.0", ...(isAny ? {} : { interface: host }) });
  responder.on("error", onFault);
  // Packets that cannot be decoded, and interfaces that come and go.
  responder.on("warning", () => {});
  const records = (ttl: number) => recordsFor(port, isAny ? localAddresses() : [host], ttl);
  const sendAll = (ttl: number): Promise<void> =>
    new Promise((resolve) => {
      responder.respond({ answers: [...records(ttl)] }, () => resolve());
    });
  responder.on("query", ({ questions = [] }) => {
    const all = records(TTL_SECONDS);
    const answers = all.filter((record) =>
      questions.some(
        ({ name, type }) =>
          name.toLowerCase() === record.name.toLowerCase() && (String(type) === "ANY" || type === record.type),
      ),
    );
    if (answers.length === 0) return;
    responder.respond({ answers, additionals: all.filter((record) => !answers.includes(record)) });
  });
  void sendAll(TTL_SECONDS);
  const repeat = setTimeout(() => void sendAll(TTL_SECONDS), REPEAT_MS);
  repeat.unref();
  return {
    async close() {
      clearTimeout(repeat);
      await doneWithin(sendAll(0), CLOSE_MS);
      await doneWithin(new Promise<void>((resolve) => responder.destroy(() => resolve())), CLOSE_MS);
    },
  };
}

function recordsFor(port: number, addresses: readonly string[], ttl: number): readonly Answer[] {
  const [label = "parlance"] = hostname().split(".");
  const [target, instance] = [`${label}.local`, `Parlance on ${label}.${SERVICE}`];
  return [
    { type: "PTR", name: SERVICE, ttl, data: instance },
    { type: "PTR", name: SERVICE_LIST, ttl, data: SERVICE },
    { type: "SRV", name: instance, ttl, data: { port, target } },
    { type: "TXT", name: instance, ttl, data: [] },
    ...addresses.filter(isIPv4).map((data) => ({ type: "A", name: target, ttl, data }) as const),
  ];
}

function localAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((each = []) =>
    each.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address),
  );
}
