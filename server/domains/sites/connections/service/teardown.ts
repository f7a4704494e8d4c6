import type { Channel } from "@/server/infrastructure/database/generated/enums";
import { outside, type Work } from "@/server/infrastructure/database/transaction";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";
import { NAMELESS } from "../policy";
import { CONNECTION, type FoundConnection } from "./find";
import { caller, cleanOutside, withoutSecret } from "./provider";
import { providerOf, targetOf } from "./providers";

/** What a connection's rest is sealed for, once its account is gone. */
export const TEARDOWN_PURPOSE = "connection_teardown";

interface Rest {
  channel: Channel;
  remoteKey: string;
  accountKey: string | null;
  config: Record<string, string>;
  secret: string;
  hookHash: string | null;
}

/** All that is needed to undo an account's connections at their parties, each sealed on its own. */
export async function sealConnections({ db }: Pick<Work, "db">, userId: number): Promise<Uint8Array[]> {
  const rows = await db.connection.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    select: { ...CONNECTION, hookHash: true },
  });
  return rows
    .filter(({ channel }) => providerOf(channel))
    .map((row) => {
      const { hookHash } = row;
      const rest: Rest = {
        ...targetOf(row),
        hookHash: hookHash && Buffer.from(hookHash).toString("base64url"),
      };
      return seal(JSON.stringify(rest), TEARDOWN_PURPOSE);
    });
}

/**
 * Undoes one connection whose account is gone. Throws when it has to be tried again. What somebody else has connected
 * meanwhile stays: its hook has another secret.
 */
export async function tearDownConnection(sealed: Uint8Array): Promise<void> {
  const { hookHash, ...target } = JSON.parse(unseal(sealed, TEARDOWN_PURPOSE)) as Rest;
  const { channel, remoteKey, accountKey } = target;
  const { db } = outside();
  const taken = await db.connection.findFirst({ where: { channel, remoteKey }, select: { id: true } });
  const provider = providerOf(channel);
  if (taken || !provider) return;
  const failed: string[] = [];
  // The path names the account at the party, and this text stays when the account is gone.
  const call = caller(async (record) => {
    const { step, status, code, outcome } = withoutSecret(record, target);
    if (outcome === "retry" || outcome === "forbidden")
      failed.push([channel, step, status, code].filter(Boolean).join(" "));
  });
  const exact = { ...target, ...(hookHash && { hookHash }) };
  const left = await cleanOutside(provider, exact, call);
  if (left === "retry" || left === "forbidden") throw new Error(failed.at(-1) ?? left);
  if (!provider.clearShared || !accountKey) return;
  if (await db.connection.findFirst({ where: { channel, accountKey }, select: { id: true } })) return;
  const shared = await provider.clearShared(exact, call);
  if (shared === "retry" || shared === "forbidden") throw new Error(failed.at(-1) ?? shared);
}

/** Receipts stay for whoever else asked for them, without the name of a connection or what was called for it. */
export async function forgetCleanups({ db }: Pick<Work, "db">, userId: number): Promise<void> {
  await db.cleanupCall.deleteMany({ where: { item: { ownerId: userId } } });
  await db.cleanupItem.updateMany({ where: { ownerId: userId }, data: { ownerId: null, label: NAMELESS } });
  await db.cleanupRun.updateMany({ where: { askedById: userId }, data: { askedById: null } });
}

/** The connections that these sites were the last of, read before their end. */
export async function connectionsOfSites(
  { db }: Pick<Work, "db">,
  siteIds: number[],
): Promise<FoundConnection[]> {
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
