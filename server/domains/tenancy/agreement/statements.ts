import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

/** Number of the advisory lock of signatures and of what is signed. */
const LOCK = 7_355_109;

/** Advisory lock: texts are published and signed one after the other. It ends with the transaction. */
export const lockSignatures = statement(z.strictObject({ locked: z.int() }))`
  select 1 as locked from pg_advisory_xact_lock(${() => LOCK}::bigint)`;

/** Sequence: a signature's id is part of what is hashed, so it is needed before the row. */
export const reserveId = statement(z.strictObject({ id: z.int() }))`
  select nextval(pg_get_serial_sequence('agreement_signatures', 'id'))::int as id`;
