import { randomBytes } from "node:crypto";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import type { DbAccess } from "@/server/infrastructure/database/transaction";

/** Stores the signed version and time, and assigns a referral code to an account without one. */
export async function recordSignature(
  { db }: Pick<DbAccess, "db">,
  userId: number,
  signature: { version: string; at: Date },
): Promise<void> {
  await db.reseller.createMany({ data: [{ userId }], skipDuplicates: true });
  const data = { agreementVersion: signature.version, agreementSignedAt: signature.at };
  await db.reseller.updateMany({ where: { userId }, data });
  await db.reseller.updateMany({
    where: { userId, referralCode: null },
    data: { referralCode: await chooseReferralCode({ db }, userId) },
  });
}

/** Derives the code from the ID. If another reseller has taken that code, returns a random one. */
async function chooseReferralCode({ db }: Pick<DbAccess, "db">, userId: number): Promise<string> {
  const defaultCode = `R${userId.toString(36).toUpperCase().padStart(5, "0")}`;
  const codeOwner = await db.reseller.findUnique({
    where: { referralCode: defaultCode },
    select: { userId: true },
  });
  return codeOwner ? `R${randomBytes(6).toString("hex").toUpperCase()}` : defaultCode;
}

/** Keeps a valid signature. Otherwise records one with the version `paper` and the current time. */
export async function recordPaperSignature(tx: Pick<DbAccess, "db" | "sql">, userId: number): Promise<void> {
  const validSignature = (await hasSignedAgreement(tx, userId))
    ? await tx.db.reseller.findUniqueOrThrow({
        where: { userId },
        select: { agreementVersion: true, agreementSignedAt: true },
      })
    : undefined;
  const at = validSignature?.agreementSignedAt ?? new Date();
  await recordSignature(tx, userId, { version: validSignature?.agreementVersion ?? "paper", at });
}
