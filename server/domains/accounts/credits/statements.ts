import * as z from "zod";
import type { CreditReason } from "@/server/infrastructure/database/generated/client";
import { statement } from "@/server/infrastructure/database/statement";

export interface BalanceChange {
  userId: number;
  amount: number;
  reason: CreditReason;
  actorId?: number;
  note?: string;
}

/** Maximum of the column `users.credits` (int4). */
const MAX_BALANCE = 2_147_483_647;

/** Updates balance and ledger in one statement: they stay consistent even outside a transaction. */
export const changeBalance = statement(
  z.strictObject({ id: z.int(), balance: z.int(), createdAt: z.date() }),
)<BalanceChange>`
  with updated as (
    update users set credits = credits + ${({ amount }) => amount}::int
     where id = ${({ userId }) => userId}
       and credits::bigint + ${({ amount }) => amount}::int between 0 and ${() => MAX_BALANCE}::int
    returning id, credits
  )
  insert into credit_entries (user_id, amount, balance, reason, actor_id, note)
  select id, ${({ amount }) => amount}::int, credits, ${({ reason }) => reason}::"CreditReason",
         ${({ actorId }) => actorId ?? null}::int, ${({ note }) => note ?? null}
    from updated
  returning id, balance, created_at as "createdAt"`;
