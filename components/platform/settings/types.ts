import type { Output } from "@/server/core/contract";
import type { listSettings } from "@/server/domains/platform/settings/contract";

export type Setting = Output<typeof listSettings>["settings"][number];

/** One of them by its key. */
export function settingOf(settings: readonly Setting[], key: Setting["key"]): Setting {
  const found = settings.find((setting) => setting.key === key);
  if (!found) throw new Error(`There is no setting "${key}".`);
  return found;
}

/** What the forms begin with; a `stale` answer has the same shape. */
export interface StoredSettings {
  bank: { holder: string; iban: string; bank: string } | null;
  vat_rate: number;
  final_consumer_tax_number: string;
  updated_at: Record<"bank" | "vat_rate" | "final_consumer_tax_number", string | null>;
}

export function storedOf(settings: readonly Setting[]): StoredSettings {
  const [bank, vat] = [settingOf(settings, "bank"), settingOf(settings, "vat_rate")];
  const consumer = settingOf(settings, "final_consumer_tax_number");
  return {
    bank: bank.value as StoredSettings["bank"],
    vat_rate: Number(vat.value),
    final_consumer_tax_number: String(consumer.value),
    updated_at: {
      bank: bank.updated_at,
      vat_rate: vat.updated_at,
      final_consumer_tax_number: consumer.updated_at,
    },
  };
}
