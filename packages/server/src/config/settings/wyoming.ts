import { optionalSetting, setting } from "../setting.ts";
import { accountName, hostName, integer, oneOf } from "../value-types.ts";

export const wyoming = {
  wyomingPort: optionalSetting({
    name: "PARLANCE_WYOMING_PORT",
    type: integer(0, 65_535),
    unset: "off",
    meaning:
      "TCP port for clients of the Wyoming protocol, such as Home Assistant, which uses 10200 and 10300. It needs `PARLANCE_WYOMING_ACCOUNT`. See [wyoming.md](wyoming.md).",
  }),
  wyomingHost: setting({
    name: "PARLANCE_WYOMING_HOST",
    type: hostName,
    default: "127.0.0.1",
    meaning:
      "Address on which the Wyoming port listens. The protocol has no keys: every client that reaches the port uses the account. Set it to an address of a trusted network.",
  }),
  wyomingAccount: optionalSetting({
    name: "PARLANCE_WYOMING_ACCOUNT",
    type: accountName,
    unset: "none",
    meaning:
      "Account that all Wyoming clients act as: its e-mail address or id, or `admin` for the first admin. Its limits and its wallet apply.",
  }),
  wyomingAnnounce: setting({
    name: "PARLANCE_WYOMING_ANNOUNCE",
    type: oneOf(["on", "off"]),
    default: "off",
    meaning: "Whether the Wyoming port is announced on the local network by zeroconf (`_wyoming._tcp`).",
  }),
};
