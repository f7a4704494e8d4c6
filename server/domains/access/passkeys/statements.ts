import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Returns no row when the counter did not grow. Allows a counter that is always 0, and synced passkeys. */
export const updatePasskeyCounter = statement(z.strictObject({ id: z.string() }))<{
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
