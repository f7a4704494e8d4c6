import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

interface KeyRow {
  userId: number;
  credential: string;
  operation: string;
  key: string;
}

/** Sets the transaction's `lock_timeout`; 0 waits forever. */
export const setLockTimeout = statement(z.strictObject({ limit: z.string() }))<{ milliseconds: number }>`
  select set_config('lock_timeout', ${(input) => String(input.milliseconds)}, true) as "limit"`;

/** Inserts a key or overwrites an expired one. The unique index makes a second call wait for the first. */
export const insertKey = statement(z.strictObject({ key: z.string() }))<
  KeyRow & { inputHash: Buffer; expiresAt: Date }
>`
  insert into idempotency_keys as k (user_id, credential, operation, key, input_hash, expires_at)
  values (${(call) => call.userId}, ${(call) => call.credential}, ${(call) => call.operation}, ${(call) => call.key},
          ${(call) => call.inputHash}, ${(call) => call.expiresAt})
  on conflict (user_id, credential, operation, key) do update
     set input_hash = excluded.input_hash, status = null, response_sealed = null, created_at = now(),
         expires_at = excluded.expires_at
   where k.expires_at <= now()
  returning key`;

export const storeResponse = statement(z.never())<KeyRow & { status: number; sealed: Buffer }>`
  update idempotency_keys
     set status = ${(call) => call.status}, response_sealed = ${(call) => call.sealed}
   where user_id = ${(call) => call.userId} and credential = ${(call) => call.credential}
     and operation = ${(call) => call.operation} and key = ${(call) => call.key}`;

export const findResponse = statement(
  z.strictObject({ inputHash: z.instanceof(Uint8Array), sealed: z.instanceof(Uint8Array) }),
)<KeyRow>`
  select input_hash as "inputHash", response_sealed as sealed from idempotency_keys
   where user_id = ${(call) => call.userId} and credential = ${(call) => call.credential}
     and operation = ${(call) => call.operation} and key = ${(call) => call.key}
     and expires_at > now() and response_sealed is not null`;
