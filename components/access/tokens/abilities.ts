import type { Ability } from "@/server/core/contract";
import { KEY_LIVES } from "@/server/domains/access/tokens/policy";

export const NEVER = "never";
export const LIVES = [...KEY_LIVES.map(String), NEVER];

/** The REST API also takes single abilities. */
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

export function abilityWords(abilities: readonly string[]): (typeof WORDS)[Ability][] {
  return abilities.filter((each): each is Ability => each in WORDS).map((each) => WORDS[each]);
}
