import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: only one worker processes the next rows. */
export const lockRunningImport = statement(z.strictObject({ id: z.int() }))<{ id: number }>`
  select id from customer_imports
   where id = ${({ id }) => id} and state = 'running' for update`;
