import * as z from "zod";
import type { CreditReason } from "@/server/infrastructure/database/generated/client";
import { statement } from "@/server/infrastructure/database/statement";

/** One entry of the ledger; `amount` is negative for a spend. */
export interface Movement {
  userId: number;
  amount: number;
  reason: CreditReason;
  actorId?: number;
  /** Why, in the words of whoever moved it. */
  note?: string;
}

/** The largest balance: PostgreSQL's `integer`. */
const MOST = 2_147_483_647;

/** One statement, where Prisma needs two writes: a balance never moves without its entry, in a transaction or not. */
export const moveBalance = statement(
  z.strictObject({ id: z.int(), balance: z.int(), createdAt: z.date() }),
)<Movement>`
  with moved as (
    update users set credits = credits + ${({ amount }) => amount}::int
     where id = ${({ userId }) => userId}
       and credits::bigint + ${({ amount }) => amount}::int between 0 and ${() => MOST}::int
    returning id, credits
  )
  insert into credit_entries (user_id, amount, balance, reason, actor_id, note)
  select id, ${({ amount }) => amount}::int, credits, ${({ reason }) => reason}::"CreditReason",
         ${({ actorId }) => actorId ?? null}::int, ${({ note }) => note ?? null}
    from moved
  returning id, balance, created_at as "createdAt"`;
