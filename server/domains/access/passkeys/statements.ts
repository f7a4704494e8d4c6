import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: additions and removals of one account come one after the other. */
export const lockAccount = statement(z.strictObject({ hasPassword: z.boolean() }))<{ userId: number }>`
  select password_hash is not null as "hasPassword" from users where id = ${({ userId }) => userId} for update`;

/** The greater of two counters, under a condition that compares it with the stored one: beyond Prisma. */
export const storeUse = statement(z.strictObject({ id: z.string() }))<{
  id: string;
  counter: number;
  backedUp: boolean;
}>`
  update passkeys
     set counter = greatest(counter, ${({ counter }) => counter}::bigint),
         backed_up = ${({ backedUp }) => backedUp}, last_used_at = now()
   where id = ${({ id }) => id}
     and (counter < ${({ counter }) => counter}::bigint
          or (counter = 0 and ${({ counter }) => counter}::bigint = 0) or backed_up)
  returning id`;
