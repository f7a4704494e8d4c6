import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";
import { FactorKind } from "./contract";

export const listFactors = statement(
  z.strictObject({
    kind: FactorKind,
    confirmedAt: z.date(),
    lastUsedAt: z.date().nullable(),
  }),
)<{ userId: number }>`
  select kind, confirmed_at as "confirmedAt", last_used_at as "lastUsedAt"
    from factors where user_id = ${({ userId }) => userId} and confirmed_at is not null`;

export const countUnusedRecoveryCodes = statement(z.strictObject({ count: z.int() }))<{ userId: number }>`
  select count(*)::int as count
    from recovery_codes where user_id = ${({ userId }) => userId} and used_at is null`;

export const findTotpSecret = statement(z.strictObject({ id: z.int(), secretSealed: z.instanceof(Buffer) }))<{
  userId: number;
  isConfirmed: boolean;
}>`
  select id, secret_sealed as "secretSealed" from factors
   where user_id = ${({ userId }) => userId} and kind = 'totp'
     and (confirmed_at is not null) = ${({ isConfirmed }) => isConfirmed}`;

/** Marks a time step as used; no row if it was used before. The first one confirms the factor. */
export const consumeTotpStep = statement(z.strictObject({ id: z.int() }))<{ id: number; step: number }>`
  update factors
     set last_step = ${({ step }) => step}, last_used_at = now(), confirmed_at = coalesce(confirmed_at, now())
   where id = ${({ id }) => id} and (last_step is null or last_step < ${({ step }) => step})
  returning id`;

export const deleteSentCode = statement(z.strictObject({ interimId: z.int() }))<{
  interimId: number;
  kind: FactorKind;
  codeHash: Buffer;
}>`
  delete from factor_codes
   where interim_id = ${({ interimId }) => interimId} and kind = ${({ kind }) => kind} and expires_at > now()
     and code_hash = ${({ codeHash }) => codeHash}
  returning interim_id as "interimId"`;

export const recordFactorUse = statement(z.never())<{ userId: number; kind: FactorKind }>`
  update factors set last_used_at = now()
   where user_id = ${({ userId }) => userId} and kind = ${({ kind }) => kind}`;

export const markRecoveryCodeUsed = statement(z.strictObject({ id: z.int() }))<{
  userId: number;
  codeHashes: Buffer[];
}>`
  update recovery_codes set used_at = now()
   where user_id = ${({ userId }) => userId} and code_hash = any(${({ codeHashes }) => codeHashes}::bytea[]) and used_at is null
  returning id`;

/** Replaces an unconfirmed factor; no row when it is active. `secret` is sealed, or a digest for `sms`. */
export const upsertUnconfirmedFactor = statement(z.strictObject({ id: z.int() }))<{
  userId: number;
  kind: FactorKind;
  secret: Uint8Array;
}>`
  insert into factors (user_id, kind, secret_sealed)
  values (${({ userId }) => userId}, ${({ kind }) => kind}, ${({ secret }) => Buffer.from(secret)})
  on conflict (user_id, kind) do update
    set secret_sealed = excluded.secret_sealed, last_step = null, created_at = now()
  where factors.confirmed_at is null
  returning id`;

/** Reads the next batch: its last id, and the accounts whose stored deadline is outdated. */
export const findOutdatedDeadlines = statement(
  z.strictObject({ lastId: z.int().nullable(), outdatedIds: z.array(z.int()) }),
)<{ afterId: number; take: number }>`
  with next as materialized (
    select u as account, u.id from users u
     where u.id > ${({ afterId }) => afterId} and u.anonymised_at is null order by u.id limit ${({ take }) => take}::int)
  select max(id) as "lastId",
         coalesce(array_agg(id order by id) filter (where (account).enrol_by is distinct from second_factor_due(account)),
                  '{}'::int[]) as "outdatedIds"
    from next`;

/** Calls the database function that the triggers also use. It locks the accounts one by one. */
export const updateFactorDeadlines = statement(z.strictObject({ result: z.string() }))<{ ids: number[] }>`
  select keep_second_factor_due(id)::text as result from unnest(${({ ids }) => ids}::int[]) as id`;
