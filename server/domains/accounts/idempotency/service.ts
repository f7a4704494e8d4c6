import { createHash } from "node:crypto";
import type { Context, IdempotentCall, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { createError, invalidField } from "@/server/core/errors";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { isLockTimeout } from "@/server/infrastructure/database/error-kinds";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { findResponse, insertKey, setLockTimeout, storeResponse } from "./statements";

const SEAL_PURPOSE = "idempotency";

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;

/** Maximum wait for the first call with the same key. Must be below the statement timeout. */
const getMaxWaitMs = () => Math.min(10, env().DATABASE_TIMEOUT - 0.5) * SECOND;

type CallInput = Record<"params" | "query" | "body", unknown>;

/** Hashes the parsed input: spelling and order do not matter. Throws `validation` for an invalid key. */
export function buildIdempotentCall(
  { id, status }: { id: string; status: number },
  key: string,
  { params, query, body }: CallInput,
): IdempotentCall {
  if (!KEY_PATTERN.test(key)) throw invalidField("Idempotency-Key", "idempotency_key");
  const inputHash = createHash("sha256").update(toCanonicalJson({ params, query, body })).digest();
  return { operation: id, status, key, inputHash, isReplay: false };
}

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, nestedValue) =>
    typeof nestedValue === "object" && nestedValue !== null && !Array.isArray(nestedValue)
      ? Object.fromEntries(Object.entries(nestedValue).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nestedValue,
  );
}

interface IdempotencyOptions<C, X> {
  /** Checks and counters before the transaction. Skipped for a replay. */
  precheck?: () => Promise<void>;
  runInTransaction?: <T>(ctx: C, work: (tx: X) => Promise<T>) => Promise<T>;
}

/**
 * Commits effect and response together and returns the stored response to later calls. A failed call stores
 * nothing. Check the caller's permission first, because a replay skips `work`.
 */
export async function withIdempotency<
  C extends Context<UserActor>,
  T extends object,
  X extends Pick<DbAccess, "sql"> = C,
>(
  ctx: C,
  work: (tx: X) => Promise<T>,
  {
    precheck,
    runInTransaction = withTransaction as NonNullable<IdempotencyOptions<C, X>["runInTransaction"]>,
  }: IdempotencyOptions<C, X> = {},
): Promise<T> {
  const { idempotentCall: call } = ctx;
  if (!call) {
    await precheck?.();
    return runInTransaction(ctx, work);
  }
  const findStoredResponse = () => loadReplay<T>(ctx, call, ctx);
  const storedResponse = await findStoredResponse();
  if (storedResponse) return storedResponse;
  try {
    await precheck?.();
  } catch (error) {
    // A concurrent first call may have succeeded: its effect can fail the checks of this one.
    const newlyStoredResponse = await findStoredResponse();
    if (newlyStoredResponse) return newlyStoredResponse;
    throw error;
  }
  return runInTransaction(ctx, async (tx) => {
    if (!(await claimKey(ctx, call, tx))) return (await loadReplay<T>(ctx, call, tx))!;
    const response = await work(tx);
    const sealed = Buffer.from(seal(JSON.stringify(response), SEAL_PURPOSE));
    await storeResponse(tx, { ...toKeyRow(ctx, call), status: call.status, sealed });
    return response;
  });
}

function toKeyRow({ actor }: Context<UserActor>, { operation, key }: IdempotentCall) {
  // Part of stored keys: `k` marks an external key, `u` an access token.
  const credential = `${actor.token.kind === "external_key" ? "k" : "u"}${actor.token.id}`;
  return { userId: actor.id, credential, operation, key };
}

async function claimKey(
  ctx: Context<UserActor>,
  call: IdempotentCall,
  tx: Pick<DbAccess, "sql">,
): Promise<boolean> {
  await setLockTimeout(tx, { milliseconds: getMaxWaitMs() });
  const [claimedRow] = await insertKey(tx, {
    ...toKeyRow(ctx, call),
    inputHash: call.inputHash,
    expiresAt: fromNow(DAY),
  }).catch((error: unknown) => {
    throw isLockTimeout(error) ? createError("idempotency_in_progress", { retryAfter: 2 }) : error;
  });
  await setLockTimeout(tx, { milliseconds: 0 });
  return claimedRow !== undefined;
}

async function loadReplay<T>(
  ctx: Context<UserActor>,
  call: IdempotentCall,
  access: Pick<DbAccess, "sql">,
): Promise<T | undefined> {
  const [storedRow] = await findResponse(access, toKeyRow(ctx, call));
  if (!storedRow) return undefined;
  if (!call.inputHash.equals(storedRow.inputHash)) throw createError("idempotency_key_reused");
  call.isReplay = true;
  return JSON.parse(unseal(storedRow.sealed, SEAL_PURPOSE)) as T;
}
