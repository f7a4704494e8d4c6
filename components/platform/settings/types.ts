import type { Input, Output } from "@/server/core/contract";
import type { listSettings, putSettings } from "@/server/domains/platform/settings/contract";

export type Setting = Output<typeof listSettings>["settings"][number];
type SettingKey = Setting["key"];

export function getSetting(settings: readonly Setting[], key: SettingKey): Setting {
  const match = settings.find((setting) => setting.key === key);
  if (!match) throw new Error(`There is no setting "${key}".`);
  return match;
}

type SettingValues = { [K in SettingKey]: NonNullable<Input<typeof putSettings>["body"][K]> };
type KeyWithoutDefault = "bank" | "support_contact";

/** Values and change times by key. `current` of a `stale` error has the same shape. */
export type StoredSettings = Omit<SettingValues, KeyWithoutDefault> & {
  [K in KeyWithoutDefault]: SettingValues[K] | null;
} & {
  updated_at: Record<SettingKey, string | null>;
};

export function toStoredSettings(settings: readonly Setting[]): StoredSettings {
  const collectByKey = (field: "value" | "updated_at") =>
    Object.fromEntries(settings.map((each) => [each.key, each[field]]));
  return { ...collectByKey("value"), updated_at: collectByKey("updated_at") } as StoredSettings;
}
