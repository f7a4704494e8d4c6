import { createHash } from "node:crypto";
import type { Context, IdempotentCall, UserActor } from "@/server/core/context";
import { env } from "@/server/core/env";
import { invalid, refuse } from "@/server/core/errors";
import { DAY, fromNow, SECOND } from "@/server/core/time";
import { isLockTimeout } from "@/server/infrastructure/database/failure";
import { type DbAccess, withTransaction } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { findResponse, insertKey, limitWait, storeResponse } from "./statements";

const PURPOSE = "idempotency";

/** Valid keys: up to 255 visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Maximum wait for the first call with the same key. Must be below the statement timeout. */
const waitLimit = () => Math.min(10, env().DATABASE_TIMEOUT - 0.5) * SECOND;

type Input = Record<"params" | "query" | "body", unknown>;

/**
 * Describes a call with an `Idempotency-Key`. Hashes the parsed input, so that spelling and order do not
 * matter. Throws `validation` for an invalid key.
 */
export function repeatable(
  { id, status }: { id: string; status: number },
  key: string,
  { params, query, body }: Input,
): IdempotentCall {
  if (!KEY.test(key)) throw invalid("Idempotency-Key", "idempotency_key");
  const inputHash = createHash("sha256").update(canonical({ params, query, body })).digest();
  return { operation: id, status, key, inputHash, isReplay: false };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

interface Options<C, X> {
  /** Checks and counters before the transaction. Skipped for a replay. */
  precheck?: () => Promise<void>;
  within?: <T>(ctx: C, work: (tx: X) => Promise<T>) => Promise<T>;
}

/**
 * Runs a transaction idempotently: with an `Idempotency-Key`, commits effect and response together and
 * returns the stored response to later calls. A failed call stores nothing. Authorise the caller first: a
 * replay needs it, too.
 */
export async function withIdempotency<
  C extends Context<UserActor>,
  T extends object,
  X extends Pick<DbAccess, "sql"> = C,
>(
  ctx: C,
  work: (tx: X) => Promise<T>,
  { precheck, within = withTransaction as NonNullable<Options<C, X>["within"]> }: Options<C, X> = {},
): Promise<T> {
  const { idempotentCall: call } = ctx;
  if (!call) {
    await precheck?.();
    return within(ctx, work);
  }
  const findReplay = () => replay<T>(ctx, call, ctx);
  const before = await findReplay();
  if (before) return before;
  try {
    await precheck?.();
  } catch (error) {
    // The first call's own effect may fail the checks of the second.
    const replayed = await findReplay();
    if (replayed) return replayed;
    throw error;
  }
  return within(ctx, async (tx) => {
    if (!(await claim(ctx, call, tx))) return (await replay<T>(ctx, call, tx))!;
    const response = await work(tx);
    const sealed = Buffer.from(seal(JSON.stringify(response), PURPOSE));
    await storeResponse(tx, { ...rowOf(ctx, call), status: call.status, sealed });
    return response;
  });
}

function rowOf({ actor }: Context<UserActor>, { operation, key }: IdempotentCall) {
  const credential = `${actor.token.kind === "external_key" ? "k" : "u"}${actor.token.id}`;
  return { userId: actor.id, credential, operation, key };
}

/** Claims the key. Returns false if another call with it has succeeded. */
async function claim(
  ctx: Context<UserActor>,
  call: IdempotentCall,
  tx: Pick<DbAccess, "sql">,
): Promise<boolean> {
  await limitWait(tx, { milliseconds: waitLimit() });
  const [claimed] = await insertKey(tx, {
    ...rowOf(ctx, call),
    inputHash: call.inputHash,
    expiresAt: fromNow(DAY),
  }).catch((error: unknown) => {
    throw isLockTimeout(error) ? refuse("idempotency_in_progress", { retryAfter: 2 }) : error;
  });
  await limitWait(tx, { milliseconds: 0 });
  return claimed !== undefined;
}

/** Returns the stored response, if any. Throws `idempotency_key_reused` for a different input. */
async function replay<T>(
  ctx: Context<UserActor>,
  call: IdempotentCall,
  work: Pick<DbAccess, "sql">,
): Promise<T | undefined> {
  const [stored] = await findResponse(work, rowOf(ctx, call));
  if (!stored) return undefined;
  if (!call.inputHash.equals(stored.inputHash)) throw refuse("idempotency_key_reused");
  call.isReplay = true;
  return JSON.parse(unseal(stored.sealed, PURPOSE)) as T;
}
