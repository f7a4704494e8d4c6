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

/** Derives the code from the ID. Random if another reseller has chosen that code. */
async function chooseReferralCode({ db }: Pick<DbAccess, "db">, userId: number): Promise<string> {
  const defaultCode = `R${userId.toString(36).toUpperCase().padStart(5, "0")}`;
  const holder = await db.reseller.findUnique({
    where: { referralCode: defaultCode },
    select: { userId: true },
  });
  return holder ? `R${randomBytes(6).toString("hex").toUpperCase()}` : defaultCode;
}

export async function recordPaperSignature(tx: Pick<DbAccess, "db" | "sql">, userId: number): Promise<void> {
  const current = (await hasSignedAgreement(tx, userId))
    ? await tx.db.reseller.findUniqueOrThrow({
        where: { userId },
        select: { agreementVersion: true, agreementSignedAt: true },
      })
    : undefined;
  const at = current?.agreementSignedAt ?? new Date();
  await recordSignature(tx, userId, { version: current?.agreementVersion ?? "paper", at });
}
