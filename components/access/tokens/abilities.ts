import type { Ability } from "@/server/core/contract";
import { KEY_LIFETIME_DAY_CHOICES } from "@/server/domains/access/tokens/policy";

export const NO_EXPIRY_OPTION = "never";
export const LIFETIME_OPTIONS = [...KEY_LIFETIME_DAY_CHOICES.map(String), NO_EXPIRY_OPTION];

/** Choices of the panel; the REST API accepts any set of abilities. */
export const ABILITY_PRESETS = {
  read: ["read"],
  sites: ["read", "sites:write"],
  everything: ["*"],
} as const satisfies Record<string, readonly Ability[]>;
export type AbilityPreset = keyof typeof ABILITY_PRESETS;

const ABILITY_MESSAGE_KEYS = {
  "*": "everything",
  read: "read",
  "sites:write": "sitesWrite",
  "profile:write": "profileWrite",
  "media:write": "mediaWrite",
  "connections:cleanup": "connectionsCleanup",
  "reseller:read": "resellerRead",
  "admin:*": "admin",
} as const satisfies Record<Ability, string>;

export function toAbilityMessageKeys(abilities: readonly string[]): (typeof ABILITY_MESSAGE_KEYS)[Ability][] {
  return abilities
    .filter((ability): ability is Ability => ability in ABILITY_MESSAGE_KEYS)
    .map((ability) => ABILITY_MESSAGE_KEYS[ability]);
}
