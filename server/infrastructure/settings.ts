import * as z from "zod";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { SETTINGS, type SettingKey, type SettingValue } from "@/server/core/settings";
import { SECOND } from "@/server/core/time";
import { ADVISORY } from "./database/advisory-locks";
import { statement } from "./database/statement";
import type { DbAccess } from "./database/transaction";

/** Maximum age of a cached value, which another process may have changed. */
const CACHE_FOR = 10 * SECOND;
const cache = lazyValue(() => new Map<SettingKey, { value: unknown; until: number }>());

/** Returns a setting, at most ten seconds old. */
export async function setting<K extends SettingKey>(
  { db }: Pick<DbAccess, "db">,
  key: K,
): Promise<SettingValue<K>> {
  const cached = cache().get(key);
  if (cached && cached.until > Date.now()) return cached.value as SettingValue<K>;
  const value = await readSetting({ db }, key);
  cache().set(key, { value, until: Date.now() + CACHE_FOR });
  return value;
}

export async function readSetting<K extends SettingKey>(
  { db }: Pick<DbAccess, "db">,
  key: K,
): Promise<SettingValue<K>> {
  const row = await db.setting.findUnique({ where: { key }, select: { value: true } });
  return valueFor(key, row?.value) as SettingValue<K>;
}

/** Returns a setting and blocks changes until the transaction ends. */
export async function lockedSetting<K extends SettingKey>(tx: DbAccess, key: K): Promise<SettingValue<K>> {
  await holdSettings(tx);
  return readSetting(tx, key);
}

/** Returns the stored value, or the default if it is missing or invalid in this release. */
export function valueFor(key: SettingKey, stored: unknown) {
  const { schema, fallback } = SETTINGS[key];
  const otherwise = environmentValue(key) ?? fallback;
  return stored === undefined ? otherwise : (schema.safeParse(stored).data ?? otherwise);
}

/** Returns the environment variable that overrides the default of a setting. */
export function environmentValue(key: SettingKey): string | undefined {
  const spec = SETTINGS[key];
  return "environment" in spec ? env()[spec.environment] : undefined;
}

export function clearSettingsCache(): void {
  cache().clear();
}

/** Locks all settings exclusively. Advisory, because a setting with its default has no row to lock. */
export const lockSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY.settings}::bigint)`;

const holdSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock_shared(${() => ADVISORY.settings}::bigint)`;
