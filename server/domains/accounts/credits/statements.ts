import * as z from "zod";
import type { CreditReason } from "@/server/infrastructure/database/generated/client";
import { statement } from "@/server/infrastructure/database/statement";

/** One entry of the ledger; `amount` is negative for a spend. */
export interface Movement {
  userId: number;
  amount: number;
  reason: CreditReason;
  actorId?: number;
}

/** One statement, where Prisma needs two writes: a balance never moves without its entry, in a transaction or not. */
export const moveBalance = statement(z.strictObject({ id: z.int() }))<Movement>`
  with moved as (
    update users set credits = credits + ${({ amount }) => amount}::int
     where id = ${({ userId }) => userId} and credits + ${({ amount }) => amount}::int >= 0
    returning id, credits
  )
  insert into credit_entries (user_id, amount, balance, reason, actor_id)
  select id, ${({ amount }) => amount}::int, credits, ${({ reason }) => reason}::"CreditReason",
         ${({ actorId }) => actorId ?? null}::int
    from moved
  returning id`;
