import * as z from "zod";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SETTINGS, type SettingKey, type SettingValue } from "@/server/core/settings";
import { SECOND } from "@/server/core/time";
import { ADVISORY_LOCKS } from "./database/advisory-locks";
import { statement } from "./database/statement";
import type { DbAccess } from "./database/transaction";

/** Maximum age of a cached value, which another process may have changed. */
const SETTING_CACHE_MS = 10 * SECOND;
const settingsCache = lazyValue(() => new Map<SettingKey, { value: unknown; expiresAt: number }>());

/** Returns a setting, at most ten seconds old. */
export async function getSetting<K extends SettingKey>(
  { db }: Pick<DbAccess, "db">,
  key: K,
): Promise<SettingValue<K>> {
  const cached = settingsCache().get(key);
  if (cached && cached.expiresAt > Date.now()) return cached.value as SettingValue<K>;
  const value = await readSetting({ db }, key);
  settingsCache().set(key, { value, expiresAt: Date.now() + SETTING_CACHE_MS });
  return value;
}

export async function readSetting<K extends SettingKey>(
  { db }: Pick<DbAccess, "db">,
  key: K,
): Promise<SettingValue<K>> {
  const row = await db.setting.findUnique({ where: { key }, select: { value: true } });
  return resolveSetting(key, row?.value) as SettingValue<K>;
}

/** Returns a setting and blocks changes until the transaction ends. */
export async function readLockedSetting<K extends SettingKey>(
  tx: DbAccess,
  key: K,
): Promise<SettingValue<K>> {
  await lockSettingsShared(tx);
  return readSetting(tx, key);
}

/** Returns the stored value, or the default if it is missing or invalid in this release. */
export function resolveSetting(key: SettingKey, storedValue: unknown) {
  const spec = SETTINGS[key];
  const fallback = !env().production && "demoFallback" in spec ? spec.demoFallback : spec.fallback;
  const defaultValue = getEnvironmentValue(key) ?? fallback;
  return storedValue === undefined ? defaultValue : (spec.schema.safeParse(storedValue).data ?? defaultValue);
}

export function getEnvironmentValue(key: SettingKey): string | undefined {
  const spec = SETTINGS[key];
  return "environment" in spec ? env()[spec.environment] : undefined;
}

export function clearSettingsCache(): void {
  settingsCache().clear();
}

/** Locks all settings exclusively. Advisory, because a setting with its default has no row to lock. */
export const lockSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY_LOCKS.settings}::bigint)`;

const lockSettingsShared = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock_shared(${() => ADVISORY_LOCKS.settings}::bigint)`;
