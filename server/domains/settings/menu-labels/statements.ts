import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

const OwnLabels = z.strictObject({ menuLabels: z.record(z.string(), z.string()) });

/** Row lock: two merges at once come one after the other, and neither loses what the other wrote. */
export const lockLabels = statement(OwnLabels)<{ id: number }>`
  select menu_labels as "menuLabels" from users where id = ${({ id }) => id} for update`;
