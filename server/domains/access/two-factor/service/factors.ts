import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { maskEmail, maskPhone } from "@/server/core/mask";
import { canReceiveTexts } from "@/server/core/phone";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { FACTOR_KINDS, type FactorKind, type listTwoFactorMethods } from "../contract";
import { countUnusedRecoveryCodes, listFactors } from "../statements";

/** Returns the confirmed factors, default first. */
export async function listActiveFactors(access: Pick<DbAccess, "sql">, userId: number) {
  const rows = await listFactors(access, { userId });
  return rows.sort((a, b) => FACTOR_KINDS.indexOf(a.kind) - FACTOR_KINDS.indexOf(b.kind));
}

export async function countRecoveryCodes(access: Pick<DbAccess, "sql">, userId: number): Promise<number> {
  const [row] = await countUnusedRecoveryCodes(access, { userId });
  return row!.count;
}

const OWNER_SELECT = { email: true, phone: true, emailVerifiedAt: true } as const satisfies Prisma.UserSelect;
type Owner = Prisma.UserGetPayload<{ select: typeof OWNER_SELECT }>;

export async function listOwnFactors(ctx: Context<UserActor>): Promise<Output<typeof listTwoFactorMethods>> {
  const { id } = ctx.actor;
  const [factors, recoveryCodeCount, user] = await Promise.all([
    listActiveFactors(ctx, id),
    countRecoveryCodes(ctx, id),
    ctx.db.user.findUnique({ where: { id }, select: OWNER_SELECT }),
  ]);
  const choices = FACTOR_KINDS.map((method) => {
    const row = factors.find(({ kind }) => kind === method);
    return {
      method,
      enabled: Boolean(row),
      available: isAvailable(method, user!),
      is_default: row !== undefined && row === factors[0],
      masked_destination: maskDestination(method, user!),
      confirmed_at: toIsoMicros(row?.confirmedAt ?? null),
      last_used_at: toIsoMicros(row?.lastUsedAt ?? null),
    };
  });
  const methods = choices.filter(({ enabled }) => enabled);
  return {
    success: true,
    enabled: factors.length > 0,
    sms_offered: env().canSendSms,
    methods,
    data: methods,
    choices,
    recovery_codes_count: recoveryCodeCount,
  };
}

function isAvailable(method: FactorKind, { phone, emailVerifiedAt }: Owner): boolean {
  if (method === "email") return emailVerifiedAt !== null;
  return method === "totp" || (env().canSendSms && canReceiveTexts(phone));
}

/** Null for an authenticator app, which gets no codes. */
export function maskDestination(
  method: FactorKind,
  user: { email: string; phone: string | null },
): string | null {
  if (method === "email") return maskEmail(user.email);
  return method === "sms" && user.phone ? maskPhone(user.phone) : null;
}
