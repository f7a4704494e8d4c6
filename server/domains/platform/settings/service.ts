import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError } from "@/server/core/errors";
import { kept } from "@/server/core/kept";
import type { Locale } from "@/server/core/locale";
import {
  type BankAccount,
  SETTING_KEYS,
  SETTINGS,
  type SettingKey,
  type SettingValue,
} from "@/server/core/settings";
import { text } from "@/server/core/texts";
import { isoMicros, SECOND } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service";
import { withOwnAccount } from "@/server/domains/accounts/proof/service/own-account";
import { requireProof } from "@/server/domains/accounts/proof/service/proof";
import { requireAdministrator } from "@/server/domains/accounts/users/service/administrator";
import { dutiesChanged } from "@/server/domains/accounts/users/service/duty";
import type { Brand } from "@/server/infrastructure/brand/brand";
import { namedSupport } from "@/server/infrastructure/brand/support";
import type { Work } from "@/server/infrastructure/database/transaction";
import type { listSettings, putSettings } from "./contract";
import { holdSettings, lockSettings } from "./statements";

/** How long a process may go on with a value that another one has changed. */
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

/** Returns a setting as it is now, for what it protects. */
export async function settingNow<K extends SettingKey>(
  { db }: Pick<Work, "db">,
  key: K,
): Promise<SettingValue<K>> {
  const row = await db.setting.findUnique({ where: { key }, select: { value: true } });
  return valueFor(key, row?.value) as SettingValue<K>;
}

/** The same, and it stays so until the transaction ends: whoever changes one waits for it. */
export async function settingHeld<K extends SettingKey>(tx: Work, key: K): Promise<SettingValue<K>> {
  await holdSettings(tx);
  return settingNow(tx, key);
}

/** A stored value that this release does not understand counts as none. */
function valueFor(key: SettingKey, stored: unknown) {
  const { schema, fallback } = SETTINGS[key];
  const otherwise = givenFor(key) ?? fallback;
  return stored === undefined ? otherwise : (schema.safeParse(stored).data ?? otherwise);
}

/** What the environment of the process says of a setting. */
function givenFor(key: SettingKey): string | undefined {
  const spec = SETTINGS[key];
  return "environment" in spec ? env()[spec.environment] : undefined;
}

/** Whom people who see a brand ask: whom its reseller names, else administrators, else the settings of the server. */
export async function supportUnder(
  work: Pick<Work, "sql">,
  { supportEmail, supportPhone }: Brand,
): Promise<{ email: string; phone: string | null }> {
  const phone = supportPhone ?? null;
  if (supportEmail) return { email: supportEmail, phone };
  return { email: (await namedSupport(work))?.email ?? env().SUPPORT_EMAIL, phone };
}

/** How to pay by bank transfer, as a sentence of a mail. */
export function transferText(locale: Locale, bank: BankAccount | null, reference: string): string {
  return bank
    ? text(locale, "mail.transfer", { ...bank, reference })
    : text(locale, "mail.transferUnknown", { reference });
}

/** Lists every setting. Administrators only. */
export async function list(ctx: Context<UserActor>): Promise<Output<typeof listSettings>> {
  requireAdministrator(ctx.actor);
  return listed(ctx);
}

async function listed({ db }: Pick<Work, "db">) {
  const rows = await db.setting.findMany({
    select: { key: true, value: true, updatedAt: true, updatedBy: { select: { id: true, name: true } } },
  });
  const found = new Map(rows.map((row) => [row.key, row]));
  const settings = SETTING_KEYS.map((key) => {
    const { group, affects } = SETTINGS[key];
    const row = found.get(key);
    const [updated_at, updated_by] = [isoMicros(row?.updatedAt ?? null), row?.updatedBy ?? null];
    const source = row ? "administrator" : givenFor(key) ? "environment" : "default";
    return { key, group, affects, value: valueFor(key, row?.value), source, updated_at, updated_by } as const;
  });
  return { success: true as const, settings, data: settings, count: settings.length };
}

/**
 * Changes what is given, unless somebody else has changed it meanwhile. Throws `stale`, and `identity_unproven` for what
 * is guarded.
 */
export async function change(
  ctx: Context<UserActor>,
  { body }: Input<typeof putSettings>,
): Promise<Output<typeof putSettings>> {
  requireAdministrator(ctx.actor);
  const { expected_updated_at: expected, ...given } = body;
  const after = await withOwnAccount(ctx, async (tx) => {
    await lockSettings(tx);
    const { settings } = await listed(tx);
    const changed = settings.filter(({ key, value }) => given[key] != null && !same(given[key], value));
    if (changed.some(({ key }) => "guarded" in SETTINGS[key])) await requireProof(tx);
    // What the caller does not name is not compared.
    const seen = changed.every(({ key, updated_at }) => [undefined, updated_at].includes(expected?.[key]));
    if (!seen) throw new AppError("stale", { current: currentOf(settings) });
    for (const { key } of changed) await save(tx, key, given[key]!);
    const after = await listed(tx);
    if (changed.some(({ key }) => key === "two_factor_duty")) await dutiesChanged(tx);
    return after;
  });
  cache().clear();
  return { ...after, message: text(ctx.locale, "responses.settings_saved") };
}

type Listed = Awaited<ReturnType<typeof listed>>["settings"];

/** The values, and under `updated_at` since when they hold: what a form needs to ask again. */
function currentOf(settings: Listed) {
  const by = (field: "value" | "updated_at") =>
    Object.fromEntries(settings.map((each) => [each.key, each[field]]));
  return { ...by("value"), updated_at: by("updated_at") };
}

/** PostgreSQL orders the keys of an object in its own way. */
function same(a: unknown, b: unknown): boolean {
  const entries = (value: unknown) =>
    typeof value === "object" && value ? Object.entries(value).sort() : value;
  return JSON.stringify(entries(a)) === JSON.stringify(entries(b));
}

async function save(
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
