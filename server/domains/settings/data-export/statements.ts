import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Of the transaction itself: all that is read in it is of one moment, and nothing is written. */
export const readOneMoment = statement(z.never())`
  set transaction isolation level repeatable read read only`;
