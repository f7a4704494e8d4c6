import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: of two workers one does the next rows. */
export const lockImport = statement(z.strictObject({ resellerId: z.int() }))<{ id: number }>`
  select reseller_id as "resellerId" from customer_imports
   where id = ${({ id }) => id} and state = 'running' for update`;
