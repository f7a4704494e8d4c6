import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: changes of one account's picture come one after the other, and each removes the file before it. */
export const lockPicture = statement(z.strictObject({ avatarUrl: z.string().nullable() }))<{
  userId: number;
}>`
  select avatar_url as "avatarUrl" from users where id = ${(given) => given.userId} for no key update`;
