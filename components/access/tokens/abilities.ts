import type { Ability } from "@/server/core/contract";
import { KEY_LIVES } from "@/server/domains/access/tokens/policy";

/** A key that ends with its owner. */
export const NEVER = "never";
/** How long a key may live, in days, as the choices of the form. */
export const LIVES = [...KEY_LIVES.map(String), NEVER];

/** The choices of the form; single abilities are available through the REST API only. */
export const PRESETS = {
  read: ["read"],
  sites: ["read", "sites:write"],
  everything: ["*"],
} as const satisfies Record<string, readonly Ability[]>;
export type Preset = keyof typeof PRESETS;

const WORDS = {
  "*": "everything",
  read: "read",
  "sites:write": "sitesWrite",
  "profile:write": "profileWrite",
  "media:write": "mediaWrite",
  "connections:cleanup": "connectionsCleanup",
  "reseller:read": "resellerRead",
  "admin:*": "admin",
} as const satisfies Record<Ability, string>;

/** Returns the message keys of a key's abilities; unknown ones are left out. */
export function abilityWords(abilities: readonly string[]): (typeof WORDS)[Ability][] {
  return abilities.filter((each): each is Ability => each in WORDS).map((each) => WORDS[each]);
}
