import * as z from "zod";
import type { CreditReason } from "@/server/infrastructure/database/generated/client";
import { statement } from "@/server/infrastructure/database/statement";

/** A ledger entry; `amount` is negative for a debit. */
export interface Movement {
  userId: number;
  amount: number;
  reason: CreditReason;
  actorId?: number;
  note?: string;
}

const BALANCE_MAX = 2_147_483_647;

/** Updates balance and ledger in one statement: they stay consistent even outside a transaction. */
export const moveBalance = statement(
  z.strictObject({ id: z.int(), balance: z.int(), createdAt: z.date() }),
)<Movement>`
  with moved as (
    update users set credits = credits + ${({ amount }) => amount}::int
     where id = ${({ userId }) => userId}
       and credits::bigint + ${({ amount }) => amount}::int between 0 and ${() => BALANCE_MAX}::int
    returning id, credits
  )
  insert into credit_entries (user_id, amount, balance, reason, actor_id, note)
  select id, ${({ amount }) => amount}::int, credits, ${({ reason }) => reason}::"CreditReason",
         ${({ actorId }) => actorId ?? null}::int, ${({ note }) => note ?? null}
    from moved
  returning id, balance, created_at as "createdAt"`;
