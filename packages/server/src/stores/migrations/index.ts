import { usersAndKeys } from "./001-users-and-keys.ts";
import { accounts } from "./002-accounts.ts";
import { wallet } from "./003-wallet.ts";
import { limitsAndUsage } from "./004-limits-and-usage.ts";
import { voices } from "./005-voices.ts";
import { writeProbes } from "./006-write-probes.ts";
import { voiceAliases } from "./007-voice-aliases.ts";
import { pronunciations } from "./008-pronunciations.ts";
import { history } from "./009-history.ts";
import { keyScopes } from "./010-key-scopes.ts";
import { keyLimits } from "./011-key-limits.ts";
import { auditLog } from "./012-audit-log.ts";
import { oidcIdentities } from "./013-oidc-identities.ts";
import { projects } from "./014-projects.ts";
import { voiceObjects } from "./015-voice-objects.ts";
import { clonedVoicePitch } from "./016-cloned-voice-pitch.ts";
import { clonedVoicePitchRange } from "./017-cloned-voice-pitch-range.ts";
import { voiceRefinement } from "./018-voice-refinement.ts";
import { refinementTurns } from "./019-refinement-turns.ts";
import type { Migration } from "./migrate.ts";

/** Forward only: a released entry is never changed, and its position in the list is its version. */
export const MIGRATIONS: readonly Migration[] = [
  usersAndKeys,
  accounts,
  wallet,
  limitsAndUsage,
  voices,
  writeProbes,
  voiceAliases,
  pronunciations,
  history,
  keyScopes,
  keyLimits,
  auditLog,
  oidcIdentities,
  projects,
  voiceObjects,
  clonedVoicePitch,
  clonedVoicePitchRange,
  voiceRefinement,
  refinementTurns,
];
