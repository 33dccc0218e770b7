import { optionalSetting, setting } from "../setting.ts";
import { anyText, natsUrl, oneOf } from "../value-types.ts";

export const cluster = {
  natsUrl: optionalSetting({
    name: "PARLANCE_NATS_URL",
    type: natsUrl,
    unset: "none: one machine does everything",
    secret: true,
    meaning:
      "NATS server that connects the machines of a cluster. `parlance work` and `parlance serve --role api` need it; `parlance serve` then also uses other machines. See [scaling.md](scaling.md).",
  }),
  role: setting({
    name: "PARLANCE_ROLE",
    type: oneOf(["all", "api"]),
    default: "all",
    meaning:
      "What `parlance serve` does. `all`: everything, with worker processes of its own, and with `PARLANCE_NATS_URL` also those of other machines. `api`: it answers requests and gives the work to machines that run `parlance work`; it needs no models.",
  }),
  machine: optionalSetting({
    name: "PARLANCE_MACHINE",
    type: anyText,
    unset: "the host name",
    meaning: "Name of a machine that runs `parlance work`, in logs and traces.",
  }),
};
