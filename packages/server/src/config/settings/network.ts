import { optionalSetting, setting } from "../setting.ts";
import { hostName, integer, networks, oneOf, origin, origins } from "../value-types.ts";

export const network = {
  host: setting({
    name: "PARLANCE_HOST",
    type: hostName,
    default: "127.0.0.1",
    meaning:
      "Address to listen on. The default accepts connections from this machine only; `0.0.0.0` accepts them from the network.",
  }),
  port: setting({
    name: "PARLANCE_PORT",
    type: integer(0, 65_535),
    default: "8080",
    meaning: "TCP port to listen on. `0` takes a free port, which is printed at the start.",
  }),
  publicUrl: optionalSetting({
    name: "PARLANCE_PUBLIC_URL",
    type: origin,
    unset: "taken from each request",
    meaning:
      "Address at which clients reach the service. Set it behind a reverse proxy: it is used in sign-in links, which otherwise work on loopback addresses only, for secure cookies and to check the origin of requests.",
  }),
  trustProxy: optionalSetting({
    name: "PARLANCE_TRUST_PROXY",
    type: networks,
    unset: "no proxy is trusted",
    meaning:
      "Reverse proxies whose `X-Forwarded-*` headers are trusted. A comma-separated list; `loopback`, `linklocal` and `uniquelocal` name whole networks. Set it behind a reverse proxy: otherwise all clients share the address of the proxy.",
  }),
  publicCatalogue: setting({
    name: "PARLANCE_PUBLIC_CATALOGUE",
    type: oneOf(["on", "off"]),
    default: "off",
    meaning:
      "Whether public voices can be read without a key. `on` opens `GET /model`, `/model/{id}`, `/model/{id}/sample.mp3`, `/model/{id}/cover`, and the lists of voices and models at `/v1/audio` for them; everything else still needs a key.",
  }),
  corsOrigins: optionalSetting({
    name: "PARLANCE_CORS_ORIGINS",
    type: origins,
    unset: "none",
    meaning: "Origins of web pages that may use the API with an API key. See [operating.md](operating.md).",
  }),
  maxConnections: setting({
    name: "PARLANCE_MAX_CONNECTIONS",
    type: integer(1, 1_000_000),
    default: "5000",
    meaning:
      "Maximum number of open connections. A further connection is reset at once. Each one uses a file descriptor: keep it below `ulimit -n`.",
  }),
  maxConnectionsPerAddress: setting({
    name: "PARLANCE_MAX_CONNECTIONS_PER_ADDRESS",
    type: integer(1, 1_000_000),
    default: "1000",
    meaning:
      "Maximum number of open connections from one address (of IPv6, one /64 network). A further connection is reset at once. Proxies in `PARLANCE_TRUST_PROXY` are exempt.",
  }),
  liveIdleSeconds: setting({
    name: "PARLANCE_LIVE_IDLE_SECONDS",
    type: integer(1, 86_400),
    default: "1800",
    meaning:
      "Seconds without any message or audio after which a live WebSocket is closed, even where the peer answers pings. An idle socket holds a connection and nothing else.",
  }),
  drainSeconds: setting({
    name: "PARLANCE_DRAIN_SECONDS",
    type: integer(0, 3_600),
    default: "10",
    meaning:
      "Seconds that running requests get to finish at shutdown. After that they are aborted. Keep it below the time after which the process manager kills the process.",
  }),
};
