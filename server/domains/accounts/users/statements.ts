import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock that also keeps new rows from referring to the account. Read the account after it. */
export const lockRow = statement(z.strictObject({ id: z.int() }))<{ userId: number }>`
  select id from users where id = ${({ userId }) => userId} for update`;
