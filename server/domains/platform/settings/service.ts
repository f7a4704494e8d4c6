import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError } from "@/server/core/errors";
import type { Locale } from "@/server/core/locale";
import {
  type BankAccount,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type SettingValue,
} from "@/server/core/settings";
import { formatText } from "@/server/core/texts";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { queueTwoFactorDeadlines } from "@/server/domains/accounts/users/service/two-factor-requirement";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  clearSettingsCache,
  getEnvironmentValue,
  lockSettings,
  resolveSetting,
} from "@/server/infrastructure/settings";
import type { listSettings, putSettings } from "./contract";

/** Instructions for a bank transfer, as a sentence for mails. */
export function formatBankTransferText(locale: Locale, bank: BankAccount | null, reference: string): string {
  return bank
    ? formatText(locale, "mail.transfer", { ...bank, reference })
    : formatText(locale, "mail.transferUnknown", { reference });
}

export async function listPlatformSettings(ctx: Context<UserActor>): Promise<Output<typeof listSettings>> {
  requireAdministrator(ctx.actor);
  return readSettings(ctx);
}

async function readSettings({ db }: Pick<DbAccess, "db">) {
  const rows = await db.setting.findMany({
    select: { key: true, value: true, updatedAt: true, updatedBy: { select: { id: true, name: true } } },
  });
  const rowsByKey = new Map(rows.map((row) => [row.key, row]));
  const settings = SETTING_KEYS.map((key) => {
    const { group, affects } = SETTINGS[key];
    const row = rowsByKey.get(key);
    const [updated_at, updated_by] = [toIsoMicros(row?.updatedAt ?? null), row?.updatedBy ?? null];
    const source = row ? "administrator" : getEnvironmentValue(key) ? "environment" : "default";
    return {
      key,
      group,
      affects,
      value: resolveSetting(key, row?.value),
      source,
      updated_at,
      updated_by,
    } as const;
  });
  return { success: true as const, settings, data: settings, count: settings.length };
}

/** Throws `stale` after a concurrent change, and `identity_unproven` if a setting requires a proof. */
export async function changeSettings(
  ctx: Context<UserActor>,
  { body }: Input<typeof putSettings>,
): Promise<Output<typeof putSettings>> {
  requireAdministrator(ctx.actor);
  const { expected_updated_at: expectedUpdatedAt, ...newValues } = body;
  const savedSettings = await withLockedOwnAccount(ctx, async (tx) => {
    await lockSettings(tx);
    const { settings } = await readSettings(tx);
    const changedSettings = settings.filter(
      ({ key, value }) => newValues[key] != null && !areValuesEqual(newValues[key], value),
    );
    if (changedSettings.some(({ key }) => "requiresProof" in SETTINGS[key])) await requireProof(tx);
    // Settings that the caller does not list in `expected_updated_at` are not compared.
    const isCurrent = changedSettings.every(({ key, updated_at }) =>
      [undefined, updated_at].includes(expectedUpdatedAt?.[key]),
    );
    if (!isCurrent) throw new AppError("stale", { current: toCurrentValues(settings) });
    for (const { key } of changedSettings) await saveSetting(tx, key, newValues[key]!);
    const settingsAfter = await readSettings(tx);
    if (changedSettings.some(({ key }) => key === "two_factor_duty")) await queueTwoFactorDeadlines(tx);
    return settingsAfter;
  });
  clearSettingsCache();
  return { ...savedSettings, message: formatText(ctx.locale, "responses.settings_saved") };
}

type SettingList = Awaited<ReturnType<typeof readSettings>>["settings"];

function toCurrentValues(settings: SettingList) {
  const mapByKey = (field: "value" | "updated_at") =>
    Object.fromEntries(settings.map((each) => [each.key, each[field]]));
  return { ...mapByKey("value"), updated_at: mapByKey("updated_at") };
}

/** Ignores the order of keys, which PostgreSQL does not keep. */
function areValuesEqual(a: unknown, b: unknown): boolean {
  const toSortedEntries = (value: unknown) =>
    typeof value === "object" && value ? Object.entries(value).sort() : value;
  return JSON.stringify(toSortedEntries(a)) === JSON.stringify(toSortedEntries(b));
}

async function saveSetting(
  tx: Context<UserActor>,
  key: SettingKey,
  value: NonNullable<SettingValue<SettingKey>>,
): Promise<void> {
  const data = { value, updatedById: tx.actor.id, updatedAt: new Date() };
  await tx.db.setting.upsert({
    where: { key },
    create: { key, ...data },
    update: data,
    select: { key: true },
  });
  await audit(tx, {
    action: "setting.changed",
    details: { key, value: JSON.stringify(value) },
  });
}
