import { type Context, createSystemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { DAY, MINUTE } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { emit } from "@/server/domains/accounts/webhooks/service/events";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { planRetry, type RetryPolicy } from "@/server/infrastructure/jobs/retry";
import { canManageAccount } from "../policy";
import { claimItem, finishRun, lockConnection, lockProviderAccount, lockSitesForShare } from "../statements";
import { CONNECTION_SELECT, type ConnectionWithSites, getIdleReasons, getLineage } from "./find";
import {
  type CallRecord,
  cleanAtProvider,
  createProviderCaller,
  type Outcome,
  redactSecret,
} from "./provider";
import { getProvider, toTarget } from "./providers";

const RETRY_POLICY: RetryPolicy = {
  event: "cleanup",
  backoff: [1, 2, 5, 15, 60, 240, 720, 1440].map((minutes) => minutes * MINUTE),
  maxAge: 30 * DAY,
  level: "error",
};

/** One attempt at an item. Updates require the same `attempts`, so that an expired claim cannot write. */
interface Claim {
  itemId: number;
  attempts: number;
  connectionId: number;
  channel: string;
  createdAt: Date;
}

/** Processes one item, unless it is closed or claimed. After a crash, another process repeats every step. */
export async function performItem(itemId: number): Promise<void> {
  const claim = await tryClaim(itemId);
  if (!claim) return;
  const connection = await startCleanup(claim);
  if (!connection) return;
  const provider = getProvider(connection.channel);
  const target = toTarget(connection);
  const call = createProviderCaller((record) => recordCall(claim, redactSecret(record, target)));
  const outcome = provider ? await cleanAtProvider(provider, target, call) : "gone";
  if (outcome === "retry" || outcome === "forbidden") return failItem(claim, outcome);
  if ((await finishItem(claim, outcome, { isSharedDone: !provider?.clearAccountSettings })) !== "shared_due")
    return;
  const sharedOutcome = await provider!.clearAccountSettings!(target, call);
  if (sharedOutcome === "retry" || sharedOutcome === "forbidden") return failItem(claim, sharedOutcome);
  await finishItem(claim, outcome === "dead" ? outcome : sharedOutcome, { isSharedDone: true });
}

async function tryClaim(itemId: number): Promise<Claim | undefined> {
  try {
    const [claim] = await claimItem(withoutTransaction(), { itemId });
    return claim && { itemId, ...claim };
  } catch (error) {
    // Unique violation: another item of the same connection was opened concurrently.
    if ((error as { code?: string }).code === "23505") return undefined;
    throw error;
  }
}

/** First transaction: decides under the locks of the connection and its sites. Undefined means refused. */
function startCleanup(claim: Claim): Promise<ConnectionWithSites | undefined> {
  return inTransaction(async (tx) => {
    await lockConnection(tx, claim);
    await lockSitesForShare(tx, claim);
    const connection = await tx.db.connection.findUnique({
      where: { id: claim.connectionId },
      select: CONNECTION_SELECT,
    });
    const reason = await findRefusalReason(tx, claim, connection);
    if (reason) return void (await closeItem(tx, claim, { state: "refused", reason }));
    return tx.db.connection.update({
      where: { id: claim.connectionId },
      data: { cleanup: "running", isActive: false },
      select: CONNECTION_SELECT,
    });
  });
}

async function findRefusalReason(
  tx: DbAccess,
  claim: Claim,
  connection: ConnectionWithSites | null,
): Promise<"already_clean" | "forbidden" | "in_use" | undefined> {
  if (!connection || connection.channel !== claim.channel) return "already_clean";
  // An earlier attempt has decided. Do not decide again: the requester may have been deleted since.
  if (connection.cleanup !== "none") return undefined;
  const { run } = await tx.db.cleanupItem.findUniqueOrThrow({
    where: { id: claim.itemId },
    select: {
      run: {
        select: {
          cause: true,
          askedBy: { select: { id: true, role: true, isActive: true, isAgentOnly: true } },
        },
      },
    },
  });
  if (run.cause === "asked") {
    const { askedBy } = run;
    const isAllowed =
      askedBy?.isActive &&
      !askedBy.isAgentOnly &&
      canManageAccount({ userId: askedBy.id, role: askedBy.role }, getLineage(connection));
    if (!isAllowed) return "forbidden";
  }
  return getIdleReasons(connection).length > 0 ? undefined : "in_use";
}

async function recordCall({ itemId }: Claim, record: CallRecord): Promise<void> {
  await withoutTransaction().db.cleanupCall.create({ data: { itemId, ...record }, select: { id: true } });
}

/**
 * Second transaction: deletes the connection. The last one of its provider account first returns `shared_due`
 * for the account-wide calls. The account's lock ensures that exactly one connection is the last.
 */
function finishItem(
  claim: Claim,
  outcome: Outcome,
  { isSharedDone }: { isSharedDone: boolean },
): Promise<"done" | "shared_due"> {
  return inTransaction(async (tx) => {
    const { connectionId: id } = claim;
    const providerAccount = await tx.db.connection.findUnique({
      where: { id },
      select: { channel: true, accountKey: true },
    });
    const accountKey = providerAccount?.accountKey;
    if (providerAccount && accountKey)
      await lockProviderAccount(tx, { channel: providerAccount.channel, accountKey });
    await lockConnection(tx, claim);
    const connection = await tx.db.connection.findUnique({ where: { id }, select: CONNECTION_SELECT });
    if (connection && connection.cleanup !== "running") {
      // It was switched on after this claim had expired.
      await closeItem(tx, claim, { state: "refused", reason: "in_use" });
      return "done";
    }
    if (connection && accountKey && !isSharedDone) {
      const { channel } = connection;
      const siblingWhere = { channel, accountKey, id: { not: id } };
      if ((await tx.db.connection.count({ where: siblingWhere })) === 0) {
        await tx.db.connection.update({ where: { id }, data: { sharedDue: true }, select: { id: true } });
        return "shared_due";
      }
    }
    await tx.db.connection.deleteMany({ where: { id } });
    const isOwnClaim = await closeItem(tx, claim, { state: "ok", tokenDead: outcome === "dead" });
    if (isOwnClaim) await reportCleaned(tx, claim, outcome);
    return "done";
  });
}

async function reportCleaned(
  tx: DbAccess,
  { itemId, connectionId, channel }: Claim,
  outcome: Outcome,
): Promise<void> {
  const { runId, run, label, ownerId } = await tx.db.cleanupItem.findUniqueOrThrow({
    where: { id: itemId },
    select: { runId: true, label: true, ownerId: true, run: { select: { askedById: true } } },
  });
  const systemTx: Context = createSystemContext(tx);
  await audit(systemTx, {
    action: "connection.cleaned",
    object: { type: "Connection", id: connectionId },
    details: { channel, outcome, receipt: runId },
    ...(run.askedById && { actorId: run.askedById }),
  });
  // Without owner, the account was deleted and has no webhooks.
  if (ownerId !== null)
    await emit(tx, {
      type: "connection.cleaned",
      ownerId,
      data: { id: connectionId, channel, label, receipt_id: runId },
    });
}

/** Closes a failed attempt; the connection stays switched off. Jobs repeat `retry`, but not `forbidden`. */
async function failItem(claim: Claim, outcome: "retry" | "forbidden"): Promise<void> {
  const { attempts, createdAt, itemId } = claim;
  const runAt =
    outcome === "retry"
      ? planRetry(RETRY_POLICY, {
          attempts: attempts - 1,
          createdAt,
          reason: outcome,
          context: { item: itemId },
        })
      : undefined;
  await inTransaction(async (tx) => {
    await lockConnection(tx, claim);
    const reason = outcome === "retry" ? "remote_failed" : "remote_forbidden";
    const isOwnClaim = await closeItem(tx, claim, { state: "failed", reason, nextAt: runAt });
    if (!isOwnClaim) return;
    await tx.db.connection.updateMany({
      where: { id: claim.connectionId, cleanup: "running" },
      data: { cleanup: "failed" },
    });
    if (outcome === "retry" && !runAt) await notifyGivenUp(tx, claim);
  });
  if (outcome === "forbidden") log.warn({ event: "cleanup.forbidden", item: itemId });
}

async function notifyGivenUp(tx: DbAccess, { itemId }: Claim): Promise<void> {
  const { label, ownerId, owner, runId, run } = await tx.db.cleanupItem.findUniqueOrThrow({
    where: { id: itemId },
    select: {
      ...{ label: true, ownerId: true, runId: true },
      owner: { select: { id: true, ...CONNECTION_SELECT.owner.select } },
      run: { select: { askedBy: { select: { id: true, role: true } } } },
    },
  });
  const { askedBy } = run;
  const canNotifyRequester =
    askedBy &&
    (!owner ||
      canManageAccount({ userId: askedBy.id, role: askedBy.role }, getLineage({ userId: owner.id, owner })));
  const recipientId = canNotifyRequester ? askedBy.id : ownerId;
  if (recipientId === null) return;
  await notifyOwner(createSystemContext(tx), recipientId, "connection_cleanup_failed", {
    path: `/connections/cleanups/${runId}`,
    params: { connection: label },
  });
}

interface ItemResult {
  state: "ok" | "refused" | "failed";
  reason?: string;
  tokenDead?: boolean;
  nextAt?: Date;
}

async function closeItem(tx: DbAccess, { itemId, attempts }: Claim, result: ItemResult): Promise<boolean> {
  const { count } = await tx.db.cleanupItem.updateMany({
    where: { id: itemId, attempts, state: "running" },
    data: { reason: null, nextAt: null, ...result, finishedAt: result.nextAt ? null : new Date() },
  });
  if (count > 0) await finishRun(tx, { itemId });
  return count > 0;
}
