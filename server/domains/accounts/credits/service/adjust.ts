import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError, invalidField } from "@/server/core/errors";
import { getNumberFormat } from "@/server/core/format";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import type { adjustCredits } from "../contract";
import { toCreditEntry } from "../dto";
import { addCredits } from "./credits";

export async function adjustAccountCredits(
  ctx: Context<UserActor>,
  { params, body }: Input<typeof adjustCredits>,
): Promise<Output<typeof adjustCredits>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { amount, note } = body;
  const entry = await withTransaction(ctx, async (tx) => {
    await requireExistingAccount(tx, params.id);
    await lockCallerAndAccount(tx, params.id);
    // The account may have been deleted while the call waited for the lock.
    await requireExistingAccount(tx, params.id);
    const change = {
      userId: params.id,
      amount,
      note,
      reason: "admin_adjust" as const,
      actorId: tx.actor.id,
    };
    const ledgerEntry = await addCredits(tx, change);
    if (!ledgerEntry)
      throw amount < 0 ? createError("credits_too_low") : invalidField("amount", "credits_too_many");
    await audit(tx, {
      action: "credits.adjusted",
      object: { type: "User", id: params.id },
      details: { amount, note, balance: ledgerEntry.balance },
    });
    await notifyOwner(tx, params.id, "credits_adjusted", {
      path: "/dashboard",
      params: ({ locale }) => ({
        note,
        amount: getNumberFormat(locale, { signDisplay: "always" }).format(amount),
        credits: getNumberFormat(locale).format(ledgerEntry.balance),
      }),
    });
    return toCreditEntry({ ...ledgerEntry, amount, note, reason: change.reason, actorId: tx.actor.id });
  });
  return { success: true, entry, credits: entry.balance };
}

async function requireExistingAccount({ db }: Pick<DbAccess, "db">, id: number): Promise<void> {
  if ((await db.user.count({ where: { id, anonymisedAt: null } })) === 0)
    throw createNotFoundError("User", id);
}
