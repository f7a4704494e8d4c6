import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock, and nothing is tied to the account meanwhile. What is known of it is read afterwards. */
export const lockRow = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} for update`;
