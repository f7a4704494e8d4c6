import type { Output } from "@/server/core/contract";
import type { listSettings } from "@/server/domains/platform/settings/contract";

export type Setting = Output<typeof listSettings>["settings"][number];

/** One of them by its key. */
export function settingOf(settings: readonly Setting[], key: Setting["key"]): Setting {
  const found = settings.find((setting) => setting.key === key);
  if (!found) throw new Error(`There is no setting "${key}".`);
  return found;
}
