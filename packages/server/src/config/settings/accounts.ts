import { optionalSetting } from "../setting.ts";
import { apiKey, email, password } from "../value-types.ts";

export const accounts = {
  adminKey: optionalSetting({
    name: "PARLANCE_ADMIN_KEY",
    type: apiKey,
    unset: "the first start creates one and prints it",
    secret: true,
    meaning:
      "API key to create for the first admin, for automated setups. A changed value adds a key; the previous one stays valid until it is revoked.",
  }),
  adminPassword: optionalSetting({
    name: "PARLANCE_ADMIN_PASSWORD",
    type: password,
    unset: "the first start prints a one-time sign-in link",
    secret: true,
    meaning: "Password of the first admin. It is ignored once the admin has a password.",
  }),
  adminEmail: optionalSetting({
    name: "PARLANCE_ADMIN_EMAIL",
    type: email,
    unset: "`admin@localhost` if a password is set",
    meaning: "E-mail address with which the first admin signs in. It is ignored once the admin has an address.",
  }),
};
