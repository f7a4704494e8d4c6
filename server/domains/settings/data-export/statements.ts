import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

export const startReadOnlySnapshot = statement(z.never())`
  set transaction isolation level repeatable read read only`;
