import { randomBytes } from "node:crypto";
import { hasSigned } from "@/server/domains/accounts/portals/service/access";
import type { Work } from "@/server/infrastructure/database/transaction";

/** Stores the signed version and time, and assigns a referral code if there is none. */
export async function recordSigned(
  { db }: Pick<Work, "db">,
  userId: number,
  signed: { version: string; at: Date },
): Promise<void> {
  await db.reseller.createMany({ data: [{ userId }], skipDuplicates: true });
  const data = { agreementVersion: signed.version, agreementSignedAt: signed.at };
  await db.reseller.updateMany({ where: { userId }, data });
  await db.reseller.updateMany({
    where: { userId, referralCode: null },
    data: { referralCode: await codeFor({ db }, userId) },
  });
}

/**
 * Returns the code derived from the ID, or a random one if another reseller has chosen that: it must not
 * block this account.
 */
async function codeFor({ db }: Pick<Work, "db">, userId: number): Promise<string> {
  const usual = `R${userId.toString(36).toUpperCase().padStart(5, "0")}`;
  const holder = await db.reseller.findUnique({ where: { referralCode: usual }, select: { userId: true } });
  return holder ? `R${randomBytes(6).toString("hex").toUpperCase()}` : usual;
}

/** Records a signature on paper; a valid signature is kept. */
export async function recordPaper(tx: Pick<Work, "db" | "sql">, userId: number): Promise<void> {
  const known = (await hasSigned(tx, userId))
    ? await tx.db.reseller.findUniqueOrThrow({
        where: { userId },
        select: { agreementVersion: true, agreementSignedAt: true },
      })
    : undefined;
  const at = known?.agreementSignedAt ?? new Date();
  await recordSigned(tx, userId, { version: known?.agreementVersion ?? "paper", at });
}
