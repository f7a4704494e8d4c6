import type { Input, Output } from "@/server/core/contract";
import type { listSettings, putSettings } from "@/server/domains/platform/settings/contract";

export type Setting = Output<typeof listSettings>["settings"][number];
type Key = Setting["key"];

export function getSetting(settings: readonly Setting[], key: Key): Setting {
  const match = settings.find((setting) => setting.key === key);
  if (!match) throw new Error(`There is no setting "${key}".`);
  return match;
}

type Values = { [K in Key]: NonNullable<Input<typeof putSettings>["body"][K]> };
type WithoutDefault = "bank" | "support_contact";

/** Values and change times by key. `current` of a `stale` error has the same shape. */
export type StoredSettings = Omit<Values, WithoutDefault> & { [K in WithoutDefault]: Values[K] | null } & {
  updated_at: Record<Key, string | null>;
};

export function toStoredSettings(settings: readonly Setting[]): StoredSettings {
  const collectByKey = (field: "value" | "updated_at") =>
    Object.fromEntries(settings.map((each) => [each.key, each[field]]));
  return { ...collectByKey("value"), updated_at: collectByKey("updated_at") } as StoredSettings;
}
