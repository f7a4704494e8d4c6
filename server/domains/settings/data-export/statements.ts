import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: of two requests at once, the second finds what the first began. */
export const lockOwner = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${(given) => given.userId} for no key update`;

/** Of the transaction itself: all that is read in it is of one moment, and nothing is written. */
export const readOneMoment = statement(z.never())`
  set transaction isolation level repeatable read read only`;
