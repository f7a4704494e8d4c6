import { createHash, randomBytes } from "node:crypto";
import { ulid } from "ulid";
import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createNotFoundError } from "@/server/core/errors";
import { toIsoMicros } from "@/server/core/time";
import type { DeletionMode } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { areBytesEqual, hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { DeletionTopic, getDeletionCertificate } from "../contract";
import { getRetentionEnd } from "../policy";

export interface Certificate {
  id: string;
  code: string;
}

/** Stores a deletion certificate with only a digest of its code. */
export async function createCertificate(
  { db }: Pick<DbAccess, "db">,
  { mode, topics }: { mode: DeletionMode; topics: DeletionTopic[] },
): Promise<Certificate> {
  const id = ulid();
  const code = randomBytes(15).toString("base64url");
  await db.deletionCertificate.create({
    data: {
      id,
      mode,
      codeHash: hashSecret(code),
      summary: topics,
      keptUntil: mode === "anonymized" ? getRetentionEnd(new Date()) : null,
    },
    select: { id: true },
  });
  return { id, code };
}

export async function getCertificate(
  { db }: Context,
  { params, query }: Input<typeof getDeletionCertificate>,
): Promise<Output<typeof getDeletionCertificate>> {
  const row = await db.deletionCertificate.findUnique({
    where: { id: params.id },
    select: { id: true, mode: true, codeHash: true, summary: true, keptUntil: true, createdAt: true },
  });
  if (!row || !areBytesEqual(row.codeHash, hashSecret(query.code)))
    throw createNotFoundError("DeletionCertificate", params.id);
  const { id, mode } = row;
  const topics = row.summary as DeletionTopic[];
  // The order is part of the fingerprint, which holders may have stored: never change it.
  const certifiedFields = {
    id,
    mode,
    created_at: toIsoMicros(row.createdAt),
    kept_until: toIsoMicros(row.keptUntil),
    topics,
  };
  const fingerprint = createHash("sha256").update(JSON.stringify(certifiedFields)).digest("hex");
  return {
    success: true,
    certificate: { ...certifiedFields, outside: await countTeardownTasks({ db }, id), fingerprint },
  };
}

async function countTeardownTasks({ db }: Pick<DbAccess, "db">, certificateId: string) {
  const stateCounts = await db.teardownTask.groupBy({
    by: ["state"],
    where: { certificateId },
    _count: true,
  });
  const counts = new Map(stateCounts.map(({ state, _count }) => [state, _count]));
  return {
    done: counts.get("done") ?? 0,
    pending: counts.get("pending") ?? 0,
    failed: counts.get("failed") ?? 0,
  };
}
