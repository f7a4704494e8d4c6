import type { Context, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { maskEmail, maskPhone } from "@/server/core/mask";
import { receivesTexts } from "@/server/core/phone";
import { isoMicros } from "@/server/core/time";
import type { Work } from "@/server/infrastructure/database/transaction";
import { FACTORS, type FactorKind, type listTwoFactorMethods } from "../contract";

interface FactorRow {
  kind: FactorKind;
  confirmed_at: Date;
  last_used_at: Date | null;
}

/** Confirmed factors of an account, in the order they are offered. */
export async function activeFactors({ sql }: Pick<Work, "sql">, userId: number): Promise<FactorRow[]> {
  const rows = await sql<FactorRow>`
    select kind, confirmed_at, last_used_at from factors where user_id = ${userId} and confirmed_at is not null`;
  return rows.sort((a, b) => FACTORS.indexOf(a.kind) - FACTORS.indexOf(b.kind));
}

/** Unused recovery codes of an account. */
export async function countRecoveryCodes({ sql }: Pick<Work, "sql">, userId: number): Promise<number> {
  const [row] = await sql<{ count: number }>`
    select count(*)::int as count from recovery_codes where user_id = ${userId} and used_at is null`;
  return row!.count;
}

/** What the security page shows. */
export async function list({ actor, sql }: Context<UserActor>): Promise<Answer<typeof listTwoFactorMethods>> {
  const [active, count, [user]] = await Promise.all([
    activeFactors({ sql }, actor.id),
    countRecoveryCodes({ sql }, actor.id),
    sql<Owner>`select email, phone, email_verified_at is not null as verified from users where id = ${actor.id}`,
  ]);
  const methods = FACTORS.map((method) => {
    const row = active.find(({ kind }) => kind === method);
    return {
      method,
      enabled: Boolean(row),
      available: isAvailable(method, user!),
      is_default: row !== undefined && row === active[0],
      masked_destination: destination(method, user!),
      confirmed_at: row ? isoMicros(row.confirmed_at) : null,
      last_used_at: row?.last_used_at ? isoMicros(row.last_used_at) : null,
    };
  });
  return {
    success: true,
    enabled: active.length > 0,
    sms_offered: env().sms,
    methods,
    data: methods,
    recovery_codes_count: count,
  };
}

interface Owner {
  email: string;
  phone: string | null;
  verified: boolean;
}

function isAvailable(method: FactorKind, { phone, verified }: Owner): boolean {
  if (method === "email") return verified;
  return method === "totp" || (env().sms && receivesTexts(phone));
}

/** Where a method's code goes, masked; null for the app, which makes its codes itself. */
export function destination(
  method: FactorKind,
  user: { email: string; phone: string | null },
): string | null {
  if (method === "email") return maskEmail(user.email);
  return method === "sms" && user.phone ? maskPhone(user.phone) : null;
}
