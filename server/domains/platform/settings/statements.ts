import * as z from "zod";
import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { statement } from "@/server/infrastructure/database/statement";

/** Advisory lock: a setting that nobody has set has no row to lock. */
export const lockSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock(${() => ADVISORY.settings}::bigint)`;

/** The lock of all settings, shared: what is read after it stays until the transaction ends. */
export const holdSettings = statement(z.strictObject({ held: z.boolean() }))`
  select true as held from pg_advisory_xact_lock_shared(${() => ADVISORY.settings}::bigint)`;
