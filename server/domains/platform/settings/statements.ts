import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Number of the advisory lock of the settings. */
const SETTINGS = 7_355_109;
/** Advisory lock: a setting that nobody has set has no row to lock. */
export const lockSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => SETTINGS}::bigint)`;
