import { optionalSetting } from "../setting.ts";
import { anyText } from "../value-types.ts";

/** Read by commands that use a server. The server ignores them. */
export const client = {
  url: optionalSetting({
    name: "PARLANCE_URL",
    type: { ...anyText, allowed: "an address such as http://127.0.0.1:8080" },
    unset: "commands work on this machine",
    meaning: "Address of the server that a command uses, unless `--server` names one.",
  }),
  apiKey: optionalSetting({
    name: "PARLANCE_API_KEY",
    type: { ...anyText, allowed: "an API key of that server" },
    unset: "none",
    secret: true,
    meaning: "API key for that server, unless `--key` gives one.",
  }),
};
