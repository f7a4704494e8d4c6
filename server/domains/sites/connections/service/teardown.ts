import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { HIDDEN_LABEL } from "../policy";
import { CONNECTION_SELECT, type ConnectionWithSites } from "./find";
import { cleanAtProvider, createProviderCaller, redactSecret } from "./provider";
import { getProvider, toProviderTarget } from "./provider-registry";

export const TEARDOWN_SEAL_PURPOSE = "connection_teardown";

interface SealedTarget {
  channel: Channel;
  remoteKey: string;
  accountKey: string | null;
  config: Record<string, string>;
  secret: string;
  hookHash: string | null;
}

/** Returns sealed data, one per connection, to remove it at its provider after the account is deleted. */
export async function sealConnections({ db }: Pick<DbAccess, "db">, userId: number): Promise<Uint8Array[]> {
  const rows = await db.connection.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    select: { ...CONNECTION_SELECT, hookHash: true },
  });
  return rows
    .filter(({ channel }) => getProvider(channel))
    .map((row) => {
      const { hookHash } = row;
      const target: SealedTarget = {
        ...toProviderTarget(row),
        hookHash: hookHash && Buffer.from(hookHash).toString("base64url"),
      };
      return seal(JSON.stringify(target), TEARDOWN_SEAL_PURPOSE);
    });
}

/** Throws if the removal must be retried. Does nothing if the number or bot has been connected again. */
export async function tearDownConnection(sealed: Uint8Array): Promise<void> {
  const { hookHash, ...target } = JSON.parse(unseal(sealed, TEARDOWN_SEAL_PURPOSE)) as SealedTarget;
  const { channel, remoteKey, accountKey } = target;
  const { db } = withoutTransaction();
  const newConnection = await db.connection.findFirst({
    where: { channel, remoteKey },
    select: { id: true },
  });
  const provider = getProvider(channel);
  if (newConnection || !provider) return;
  const failures: string[] = [];
  // No URL in the error text: it names the account at the provider, and the text outlives the account.
  const callProvider = createProviderCaller(async (record) => {
    const { step, status, code, outcome } = redactSecret(record, target);
    if (outcome === "retry" || outcome === "forbidden")
      failures.push([channel, step, status, code].filter(Boolean).join(" "));
  });
  const targetWithHash = { ...target, ...(hookHash && { hookHash }) };
  const outcome = await cleanAtProvider(provider, targetWithHash, callProvider);
  if (outcome === "retry" || outcome === "forbidden") throw new Error(failures.at(-1) ?? outcome);
  if (!provider.clearAccountSettings || !accountKey) return;
  if (await db.connection.findFirst({ where: { channel, accountKey }, select: { id: true } })) return;
  const sharedOutcome = await provider.clearAccountSettings(targetWithHash, callProvider);
  if (sharedOutcome === "retry" || sharedOutcome === "forbidden")
    throw new Error(failures.at(-1) ?? sharedOutcome);
}

/** Removes labels and calls of the account from receipts, which other requesters keep. */
export async function anonymiseCleanups({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.cleanupCall.deleteMany({ where: { item: { ownerId: userId } } });
  await db.cleanupItem.updateMany({
    where: { ownerId: userId },
    data: { ownerId: null, label: HIDDEN_LABEL },
  });
  await db.cleanupRun.updateMany({ where: { askedById: userId }, data: { askedById: null } });
}

/** Returns the connections that serve only these sites. Call it before the sites are deleted. */
export async function findConnectionsOnlyOnSites(
  { db }: Pick<DbAccess, "db">,
  siteIds: number[],
): Promise<ConnectionWithSites[]> {
  return db.connection.findMany({
    where: {
      cleanup: { not: "running" },
      sites: {
        some: { siteId: { in: siteIds } },
        none: { site: { deletedAt: null, id: { notIn: siteIds } } },
      },
    },
    orderBy: { id: "asc" },
    select: CONNECTION_SELECT,
  });
}
