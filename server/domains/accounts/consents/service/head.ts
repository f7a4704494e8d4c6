import { createHmac } from "node:crypto";
import type { Context } from "@/server/core/context";
import { audit } from "@/server/domains/accounts/audit/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import { derivedKey, derivedKeys } from "@/server/infrastructure/secrets/derive";
import { sameBytes } from "@/server/infrastructure/secrets/tokens";
import { findHead, listNotedHeads } from "../statements";

/** The end of the chain: how many rows it has, and the last one's id and hash. */
export interface Head {
  count: number;
  id: number;
  hash: string;
}

const PURPOSE = "consents:head";

function macOf({ count, id, hash }: Head, key = derivedKey(PURPOSE)): Buffer<ArrayBuffer> {
  const content = JSON.stringify([count, id, hash]);
  return createHmac("sha256", key).update(content).digest();
}

/** Whether we wrote a head, under the current secret or a former one. */
function isOurs(head: Head, mac: Uint8Array): boolean {
  return derivedKeys(PURPOSE).some((key) => sameBytes(macOf(head, key), mac));
}

/** Returns the stored head; `forged` when it was not written by us, undefined when there is none. */
export async function readHead(work: Pick<Work, "sql">): Promise<Head | "forged" | undefined> {
  const [row] = await findHead(work);
  if (!row) return undefined;
  const head = { count: row.count, id: row.lastId, hash: row.hash.toString("hex") };
  return isOurs(head, row.mac) ? head : "forged";
}

/** Stores the head, in the transaction that appends to the chain. */
export async function writeHead({ db }: Pick<Work, "db">, head: Head): Promise<void> {
  const data = {
    count: head.count,
    lastId: head.id,
    hash: Buffer.from(head.hash, "hex"),
    mac: macOf(head),
  };
  await db.consentHead.upsert({ where: { id: 1 }, create: data, update: data, select: { id: true } });
}

/** Returns the heads in the audit log, oldest first; what was not written by us is left out. */
export async function notedHeads(work: Pick<Work, "sql">): Promise<Head[]> {
  const rows = await listNotedHeads(work);
  return rows
    .filter(({ count, id, hash, mac }) => isOurs({ count, id, hash }, Buffer.from(mac, "hex")))
    .map(({ count, id, hash }) => ({ count, id, hash }));
}

/** Notes the head in the audit log, unless it is there already: an older head put back in its place then shows. */
export async function noteHead(ctx: Context): Promise<void> {
  const head = await readHead(ctx);
  if (!head || head === "forged" || (await notedHeads(ctx)).some(({ hash }) => hash === head.hash)) return;
  await audit(ctx, { action: "consents.sealed", details: { ...head, mac: macOf(head).toString("hex") } });
}
