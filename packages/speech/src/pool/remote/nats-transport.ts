import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Transport } from "./transport.ts";

const RECONNECT_MS = 250;
const CONNECT_MS = 5_000;
/** A server that answers no ping for two of these is gone. */
const PING_MS = 2_000;
const DRAIN_MS = 1_000;

/**
 * Connects in the background, and again after every loss, so that parts may start in any order. Throws for what is no address:
 * nobody waits for the connection, so nobody would get that error later.
 */
export function createNatsTransport(url: string): Transport {
  const server = serverOf(url);
  const listeners: ((connected: boolean) => void)[] = [];
  const subscriptions: ((connection: NatsConnection) => void)[] = [];
  let connection: NatsConnection | undefined;
  let connected = false;
  const closing = new AbortController();

  const change = (now: boolean): void => {
    if (connected === now) return;
    connected = now;
    for (const listener of listeners) listener(now);
  };

  async function watch(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === "disconnect") change(false);
      else if (type === "reconnect") change(true);
    }
  }

  async function open(): Promise<void> {
    // Loaded only where there is a cluster.
    const { connect } = await import("@nats-io/transport-node");
    while (!closing.signal.aborted) {
      // The client would wait for its first connection by itself, but that cannot be ended.
      const opened = await connect({
        ...server,
        name: `parlance ${hostname()}`,
        timeout: CONNECT_MS,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_MS,
        reconnectJitter: RECONNECT_MS,
        pingInterval: PING_MS,
        maxPingOut: 2,
        // A wrong password is a mistake of configuration that may be corrected while this waits.
        ignoreAuthErrorAbort: true,
      }).catch(() => undefined);
      if (opened) return use(opened);
      await sleep(RECONNECT_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function use(opened: NatsConnection): Promise<void> {
    if (closing.signal.aborted) return opened.close();
    connection = opened;
    for (const subscribe of subscriptions) subscribe(opened);
    void watch(opened);
    change(true);
  }
  void open();

  return {
    get connected() {
      return connected;
    },
    publish(subject, payload, reply) {
      if (connected && !closing.signal.aborted)
        connection?.publish(subject, payload, reply === undefined ? {} : { reply });
    },
    subscribe(subject, onMessage) {
      let unsubscribe: (() => void) | undefined;
      let cancelled = false;
      const subscribe = (opened: NatsConnection): void => {
        if (cancelled) return;
        const subscription = opened.subscribe(subject, {
          callback: (error, message) => {
            if (error !== null) return;
            try {
              onMessage(message.data, message.reply);
            } catch {
              // A message that is not what it should be must not end the connection.
            }
          },
        });
        unsubscribe = () => subscription.unsubscribe();
      };
      if (connection) subscribe(connection);
      else subscriptions.push(subscribe);
      return () => {
        cancelled = true;
        unsubscribe?.();
      };
    },
    onChange(listener) {
      listeners.push(listener);
    },
    async close() {
      closing.abort();
      if (connection) {
        // A server that does not answer would keep it for as long as it takes to notice that.
        const drained = connection.drain().catch(() => {});
        await Promise.race([drained, sleep(DRAIN_MS, undefined, { ref: false })]);
        await connection.close();
      }
      change(false);
    },
  };
}

/** The client takes user and password apart from the address. */
function serverOf(url: string): { servers: string; user?: string; pass?: string; token?: string; tls?: object } {
  const { protocol, host, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return {
    servers: host,
    ...(user === "" ? {} : pass === "" ? { token: user } : { user, pass }),
    ...(protocol === "tls:" ? { tls: {} } : {}),
  };
}
