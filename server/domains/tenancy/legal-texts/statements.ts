import * as z from "zod";
import { ADVISORY_LOCKS } from "@/server/infrastructure/database/advisory-locks";
import { statement } from "@/server/infrastructure/database/statement";

/** Advisory lock: serialises publishing and signing until the transaction ends. */
export const lockSignatures = statement(z.strictObject({ locked: z.int() }))`
  select 1 as locked from pg_advisory_xact_lock(${() => ADVISORY_LOCKS.signatures}::bigint)`;

/** The ID of a signature is part of its hash, so it is needed before the insert. */
export const reserveSignatureId = statement(z.strictObject({ id: z.int() }))`
  select nextval(pg_get_serial_sequence('agreement_signatures', 'id'))::int as id`;
