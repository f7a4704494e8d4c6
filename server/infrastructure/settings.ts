import * as z from "zod";
import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { SETTINGS, type SettingKey, type SettingValue } from "@/server/core/settings";
import { SECOND } from "@/server/core/time";
import { ADVISORY } from "./database/advisory-locks";
import { statement } from "./database/statement";
import type { Work } from "./database/transaction";

/** Maximum age of a value that another process may have changed. */
const KEPT = 10 * SECOND;
const cache = kept(() => new Map<SettingKey, { value: unknown; until: number }>());

/** Returns a setting, at most ten seconds old. */
export async function setting<K extends SettingKey>(
  { db }: Pick<Work, "db">,
  key: K,
): Promise<SettingValue<K>> {
  const known = cache().get(key);
  if (known && known.until > Date.now()) return known.value as SettingValue<K>;
  const value = await settingNow({ db }, key);
  cache().set(key, { value, until: Date.now() + KEPT });
  return value;
}

/** Returns a setting as it is now. */
export async function settingNow<K extends SettingKey>(
  { db }: Pick<Work, "db">,
  key: K,
): Promise<SettingValue<K>> {
  const row = await db.setting.findUnique({ where: { key }, select: { value: true } });
  return valueFor(key, row?.value) as SettingValue<K>;
}

/** Returns a setting that stays as it is until the transaction ends: changes wait for it. */
export async function settingHeld<K extends SettingKey>(tx: Work, key: K): Promise<SettingValue<K>> {
  await holdSettings(tx);
  return settingNow(tx, key);
}

/** Returns the stored value, or the default if it is missing or unknown to this release. */
export function valueFor(key: SettingKey, stored: unknown) {
  const { schema, fallback } = SETTINGS[key];
  const otherwise = givenFor(key) ?? fallback;
  return stored === undefined ? otherwise : (schema.safeParse(stored).data ?? otherwise);
}

/** Returns the value that the environment of the process gives a setting. */
export function givenFor(key: SettingKey): string | undefined {
  const spec = SETTINGS[key];
  return "environment" in spec ? env()[spec.environment] : undefined;
}

/** Clears the cache of this process. */
export function forgetSettings(): void {
  cache().clear();
}

/** Advisory lock, because a setting with its default has no row to lock. */
export const lockSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY.settings}::bigint)`;

/** The lock of all settings, shared: what is read after it stays until the transaction ends. */
const holdSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock_shared(${() => ADVISORY.settings}::bigint)`;
