import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** A setting of the transaction: everything is read from one snapshot, and nothing is written. */
export const readOneMoment = statement(z.never())`
  set transaction isolation level repeatable read read only`;
