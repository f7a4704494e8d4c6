import type { Work } from "@/server/infrastructure/database/transaction";

export type CreditReason = "welcome" | "usage" | "admin_adjust" | "refund";

/** Credits of a new account (contract, section 8). */
export const WELCOME_CREDITS = 1000;

/**
 * Adds an entry to an account's ledger and moves its balance, in one statement: the balance is always the
 * sum of the entries. A spend that would go below zero writes nothing; the answer says whether it was written.
 */
export async function addCredits(
  { sql }: Pick<Work, "sql">,
  {
    userId,
    amount,
    reason,
    actorId,
  }: { userId: number; amount: number; reason: CreditReason; actorId?: number },
): Promise<boolean> {
  const rows = await sql`
    with moved as (
      update users set credits = credits + ${amount}::int where id = ${userId} and credits + ${amount}::int >= 0
      returning id, credits
    )
    insert into credit_entries (user_id, amount, balance, reason, actor_id)
    select id, ${amount}::int, credits, ${reason}::"CreditReason", ${actorId ?? null}::int from moved returning id`;
  return rows.length === 1;
}
