import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { type DbAccess, withoutTransaction } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { HIDDEN_LABEL } from "../policy";
import { CONNECTION, type ConnectionWithSites } from "./find";
import { cleanAtProvider, createCall, withoutSecret } from "./provider";
import { providerOf, targetOf } from "./providers";

export const TEARDOWN_PURPOSE = "connection_teardown";

interface SealedTarget {
  channel: Channel;
  remoteKey: string;
  accountKey: string | null;
  config: Record<string, string>;
  secret: string;
  hookHash: string | null;
}

/** Seals, one by one, the data needed to remove an account's connections at their providers. */
export async function sealConnections({ db }: Pick<DbAccess, "db">, userId: number): Promise<Uint8Array[]> {
  const rows = await db.connection.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    select: { ...CONNECTION, hookHash: true },
  });
  return rows
    .filter(({ channel }) => providerOf(channel))
    .map((row) => {
      const { hookHash } = row;
      const target: SealedTarget = {
        ...targetOf(row),
        hookHash: hookHash && Buffer.from(hookHash).toString("base64url"),
      };
      return seal(JSON.stringify(target), TEARDOWN_PURPOSE);
    });
}

/**
 * Removes a deleted account's connection at its provider. Throws if it must be retried. Skips a number that
 * another account has connected since: its webhook has another secret.
 */
export async function tearDownConnection(sealed: Uint8Array): Promise<void> {
  const { hookHash, ...target } = JSON.parse(unseal(sealed, TEARDOWN_PURPOSE)) as SealedTarget;
  const { channel, remoteKey, accountKey } = target;
  const { db } = withoutTransaction();
  const reconnected = await db.connection.findFirst({ where: { channel, remoteKey }, select: { id: true } });
  const provider = providerOf(channel);
  if (reconnected || !provider) return;
  const failures: string[] = [];
  // The URL names the account at the provider, and this error text outlives the account: leave it out.
  const call = createCall(async (record) => {
    const { step, status, code, outcome } = withoutSecret(record, target);
    if (outcome === "retry" || outcome === "forbidden")
      failures.push([channel, step, status, code].filter(Boolean).join(" "));
  });
  const exact = { ...target, ...(hookHash && { hookHash }) };
  const outcome = await cleanAtProvider(provider, exact, call);
  if (outcome === "retry" || outcome === "forbidden") throw new Error(failures.at(-1) ?? outcome);
  if (!provider.clearShared || !accountKey) return;
  if (await db.connection.findFirst({ where: { channel, accountKey }, select: { id: true } })) return;
  const shared = await provider.clearShared(exact, call);
  if (shared === "retry" || shared === "forbidden") throw new Error(failures.at(-1) ?? shared);
}

/** Anonymises receipts, which other requesters keep: removes labels and calls. */
export async function anonymiseCleanups({ db }: Pick<DbAccess, "db">, userId: number): Promise<void> {
  await db.cleanupCall.deleteMany({ where: { item: { ownerId: userId } } });
  await db.cleanupItem.updateMany({
    where: { ownerId: userId },
    data: { ownerId: null, label: HIDDEN_LABEL },
  });
  await db.cleanupRun.updateMany({ where: { askedById: userId }, data: { askedById: null } });
}

/** Returns the connections that serve only these sites. Call it before the sites are deleted. */
export async function connectionsOfSites(
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
    select: CONNECTION,
  });
}
