import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { maskEmail, maskPhone } from "@/server/core/mask";
import { canReceiveTexts } from "@/server/core/phone";
import { isoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { FACTORS, type FactorKind, type listTwoFactorMethods } from "../contract";
import { countUnusedCodes, listFactors } from "../statements";

export async function activeFactors(work: Pick<DbAccess, "sql">, userId: number) {
  const rows = await listFactors(work, { userId });
  return rows.sort((a, b) => FACTORS.indexOf(a.kind) - FACTORS.indexOf(b.kind));
}

export async function countRecoveryCodes(work: Pick<DbAccess, "sql">, userId: number): Promise<number> {
  const [row] = await countUnusedCodes(work, { userId });
  return row!.count;
}

const OWNER = { email: true, phone: true, emailVerifiedAt: true } as const satisfies Prisma.UserSelect;
type Owner = Prisma.UserGetPayload<{ select: typeof OWNER }>;

export async function list(ctx: Context<UserActor>): Promise<Output<typeof listTwoFactorMethods>> {
  const { id } = ctx.actor;
  const [active, count, user] = await Promise.all([
    activeFactors(ctx, id),
    countRecoveryCodes(ctx, id),
    ctx.db.user.findUnique({ where: { id }, select: OWNER }),
  ]);
  const choices = FACTORS.map((method) => {
    const row = active.find(({ kind }) => kind === method);
    return {
      method,
      enabled: Boolean(row),
      available: isAvailable(method, user!),
      is_default: row !== undefined && row === active[0],
      masked_destination: destination(method, user!),
      confirmed_at: isoMicros(row?.confirmedAt ?? null),
      last_used_at: isoMicros(row?.lastUsedAt ?? null),
    };
  });
  const methods = choices.filter(({ enabled }) => enabled);
  return {
    success: true,
    enabled: active.length > 0,
    sms_offered: env().sms,
    methods,
    data: methods,
    choices,
    recovery_codes_count: count,
  };
}

function isAvailable(method: FactorKind, { phone, emailVerifiedAt }: Owner): boolean {
  if (method === "email") return emailVerifiedAt !== null;
  return method === "totp" || (env().sms && canReceiveTexts(phone));
}

/** Masked recipient of a method's codes; null for the app. */
export function destination(
  method: FactorKind,
  user: { email: string; phone: string | null },
): string | null {
  if (method === "email") return maskEmail(user.email);
  return method === "sms" && user.phone ? maskPhone(user.phone) : null;
}
