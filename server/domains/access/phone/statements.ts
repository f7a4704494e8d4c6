import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Row lock: the number cannot change between its code and its confirmation. */
export const lockPhone = statement(z.strictObject({ phone: z.string().nullable() }))<{ userId: number }>`
  select phone from users where id = ${({ userId }) => userId} for update`;
