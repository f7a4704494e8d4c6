import * as z from "zod";
import { ADVISORY } from "@/server/infrastructure/database/advisory-locks";
import { statement } from "@/server/infrastructure/database/statement";

/** Advisory lock: texts are published and signed one after the other. It ends with the transaction. */
export const lockSignatures = statement(z.strictObject({ locked: z.int() }))`
  select 1 as locked from pg_advisory_xact_lock(${() => ADVISORY.signatures}::bigint)`;

/** Sequence: a signature's id is part of what is hashed, so it is needed before the row. */
export const reserveId = statement(z.strictObject({ id: z.int() }))`
  select nextval(pg_get_serial_sequence('agreement_signatures', 'id'))::int as id`;
