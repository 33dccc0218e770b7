import { optionalSetting, setting } from "../setting.ts";
import { domains, issuer, oneOf, shortText } from "../value-types.ts";

export const oidc = {
  oidcIssuer: optionalSetting({
    name: "PARLANCE_OIDC_ISSUER",
    type: issuer,
    unset: "there is no sign-in with a provider",
    meaning:
      "Issuer of an OpenID Connect provider with which people may sign in to the dashboard. See [accounts.md](accounts.md#sign-in-with-a-provider).",
  }),
  oidcClientId: optionalSetting({
    name: "PARLANCE_OIDC_CLIENT_ID",
    type: shortText,
    unset: "needed with `PARLANCE_OIDC_ISSUER`",
    meaning: "Client id that the provider has given to this service.",
  }),
  oidcClientSecret: optionalSetting({
    name: "PARLANCE_OIDC_CLIENT_SECRET",
    type: shortText,
    unset: "a public client, with PKCE alone",
    secret: true,
    meaning: "Client secret of the provider.",
  }),
  oidcName: setting({
    name: "PARLANCE_OIDC_NAME",
    type: shortText,
    default: "single sign-on",
    meaning: "What the button on the sign-in page calls the provider.",
  }),
  oidcDomains: optionalSetting({
    name: "PARLANCE_OIDC_DOMAINS",
    type: domains,
    unset: "all",
    meaning:
      "Domains of the e-mail addresses that may sign in with the provider, comma-separated. Set it where the provider is public.",
  }),
  oidcAutoCreate: setting({
    name: "PARLANCE_OIDC_AUTO_CREATE",
    type: oneOf(["on", "off"]),
    default: "off",
    meaning:
      "Whether the first sign-in with the provider creates an account if there is none: a member with the plan `free`.",
  }),
};
