import { type Context, createSystemContext } from "@/server/core/context";
import { log } from "@/server/core/log";
import { DAY, MINUTE } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import {
  type DbAccess,
  inTransaction,
  withoutTransaction,
} from "@/server/infrastructure/database/transaction";
import { planRetry, type RetryPolicy } from "@/server/infrastructure/jobs/retry";
import { canManageOwnersConnections } from "../policy";
import {
  claimCleanupItem,
  finishRunIfComplete,
  lockConnection,
  lockProviderAccount,
  lockSitesForShare,
} from "../statements";
import { CONNECTION_SELECT, type ConnectionWithSites, getConnectionLineage, getIdleReasons } from "./find";
import {
  type CallOutcome,
  type CallRecord,
  cleanAtProvider,
  createProviderCaller,
  redactSecret,
} from "./provider";
import { getProvider, toProviderTarget } from "./provider-registry";

const RETRY_POLICY: RetryPolicy = {
  event: "cleanup",
  backoff: [1, 2, 5, 15, 60, 240, 720, 1440].map((minutes) => minutes * MINUTE),
  maxAge: 30 * DAY,
  level: "error",
};

/** One attempt at an item. Updates require the same `attempts`, so that an expired claim cannot write. */
interface ItemClaim {
  itemId: number;
  attempts: number;
  connectionId: number;
  channel: string;
  createdAt: Date;
}

/** Processes one item, unless it is closed or claimed. After a crash, another process repeats every step. */
export async function performCleanupItem(itemId: number): Promise<void> {
  const claim = await tryClaimItem(itemId);
  if (!claim) return;
  const connection = await startCleanup(claim);
  if (!connection) return;
  const provider = getProvider(connection.channel);
  const target = toProviderTarget(connection);
  const callProvider = createProviderCaller((record) => recordCall(claim, redactSecret(record, target)));
  const outcome = provider ? await cleanAtProvider(provider, target, callProvider) : "gone";
  if (outcome === "retry" || outcome === "forbidden") return failItem(claim, outcome);
  if (
    (await finishItem(claim, outcome, { areSharedSettingsCleared: !provider?.clearAccountSettings })) !==
    "shared_due"
  )
    return;
  const sharedOutcome = await provider!.clearAccountSettings!(target, callProvider);
  if (sharedOutcome === "retry" || sharedOutcome === "forbidden") return failItem(claim, sharedOutcome);
  await finishItem(claim, outcome === "dead" ? outcome : sharedOutcome, { areSharedSettingsCleared: true });
}

async function tryClaimItem(itemId: number): Promise<ItemClaim | undefined> {
  try {
    const [claim] = await claimCleanupItem(withoutTransaction(), { itemId });
    return claim && { itemId, ...claim };
  } catch (error) {
    // Unique violation: another item of the same connection was opened concurrently.
    if ((error as { code?: string }).code === "23505") return undefined;
    throw error;
  }
}

/** First transaction: decides under the locks of the connection and its sites. Undefined means refused. */
function startCleanup(claim: ItemClaim): Promise<ConnectionWithSites | undefined> {
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
  claim: ItemClaim,
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
      canManageOwnersConnections(
        { userId: askedBy.id, role: askedBy.role },
        getConnectionLineage(connection),
      );
    if (!isAllowed) return "forbidden";
  }
  return getIdleReasons(connection).length > 0 ? undefined : "in_use";
}

async function recordCall({ itemId }: ItemClaim, record: CallRecord): Promise<void> {
  await withoutTransaction().db.cleanupCall.create({ data: { itemId, ...record }, select: { id: true } });
}

/**
 * Second transaction: deletes the connection. The last one of its provider account first returns `shared_due`
 * for the account-wide calls. The account's lock ensures that exactly one connection is the last.
 */
function finishItem(
  claim: ItemClaim,
  outcome: CallOutcome,
  { areSharedSettingsCleared }: { areSharedSettingsCleared: boolean },
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
    if (connection && accountKey && !areSharedSettingsCleared) {
      const { channel } = connection;
      const whereSibling = { channel, accountKey, id: { not: id } };
      if ((await tx.db.connection.count({ where: whereSibling })) === 0) {
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
  { itemId, connectionId, channel }: ItemClaim,
  outcome: CallOutcome,
): Promise<void> {
  const { runId, run, label, ownerId } = await tx.db.cleanupItem.findUniqueOrThrow({
    where: { id: itemId },
    select: { runId: true, label: true, ownerId: true, run: { select: { askedById: true } } },
  });
  const systemContext: Context = createSystemContext(tx);
  await audit(systemContext, {
    action: "connection.cleaned",
    object: { type: "Connection", id: connectionId },
    details: { channel, outcome, receipt: runId },
    ...(run.askedById && { actorId: run.askedById }),
  });
  // Without owner, the account was deleted and has no webhooks.
  if (ownerId !== null)
    await emitWebhookEvent(tx, {
      type: "connection.cleaned",
      ownerId,
      data: { id: connectionId, channel, label, receipt_id: runId },
    });
}

/** Closes a failed attempt; the connection stays switched off. Jobs repeat `retry`, but not `forbidden`. */
async function failItem(claim: ItemClaim, outcome: "retry" | "forbidden"): Promise<void> {
  const { attempts, createdAt, itemId } = claim;
  const nextAttemptAt =
    outcome === "retry"
      ? planRetry(RETRY_POLICY, {
          previousAttempts: attempts - 1,
          createdAt,
          reason: outcome,
          context: { item: itemId },
        })
      : undefined;
  await inTransaction(async (tx) => {
    await lockConnection(tx, claim);
    const reason = outcome === "retry" ? "remote_failed" : "remote_forbidden";
    const isOwnClaim = await closeItem(tx, claim, { state: "failed", reason, nextAt: nextAttemptAt });
    if (!isOwnClaim) return;
    await tx.db.connection.updateMany({
      where: { id: claim.connectionId, cleanup: "running" },
      data: { cleanup: "failed" },
    });
    if (outcome === "retry" && !nextAttemptAt) await notifyGivenUp(tx, claim);
  });
  if (outcome === "forbidden") log.warn({ event: "cleanup.forbidden", item: itemId });
}

async function notifyGivenUp(tx: DbAccess, { itemId }: ItemClaim): Promise<void> {
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
      canManageOwnersConnections(
        { userId: askedBy.id, role: askedBy.role },
        getConnectionLineage({ userId: owner.id, owner }),
      ));
  const recipientId = canNotifyRequester ? askedBy.id : ownerId;
  if (recipientId === null) return;
  await notifyOwner(createSystemContext(tx), recipientId, "connection_cleanup_failed", {
    path: `/connections/cleanups/${runId}`,
    params: { connection: label },
  });
}

interface ItemClosing {
  state: "ok" | "refused" | "failed";
  reason?: string;
  tokenDead?: boolean;
  nextAt?: Date;
}

async function closeItem(
  tx: DbAccess,
  { itemId, attempts }: ItemClaim,
  closing: ItemClosing,
): Promise<boolean> {
  const { count } = await tx.db.cleanupItem.updateMany({
    where: { id: itemId, attempts, state: "running" },
    data: { reason: null, nextAt: null, ...closing, finishedAt: closing.nextAt ? null : new Date() },
  });
  if (count > 0) await finishRunIfComplete(tx, { itemId });
  return count > 0;
}
