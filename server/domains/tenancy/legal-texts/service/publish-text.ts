import { type Context, createSystemContext } from "@/server/core/context";
import { LOCALES } from "@/server/core/locale";
import { OperatorError } from "@/server/core/operator-error";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { readSetting } from "@/server/infrastructure/settings";
import { AGREEMENT_KEY, lockLegalTexts } from "./agreement-texts";

interface Publication {
  key: string;
  version: string;
  bodies: Record<string, string>;
  days: number;
}

/** False for `0` (the shipped text) and `paper` (signatures on paper), which are reserved. */
export function isVersionName(version: string): boolean {
  return /^[\w.-]{1,40}$/.test(version) && version !== "0" && version !== "paper";
}

/** Call {@link lockLegalTexts} and check the name first. Returns when the version becomes required. */
export async function publishText(tx: Context, { key, version, bodies, days }: Publication): Promise<Date> {
  // The time is read under the lock, so that it is before or after the time of every signature.
  const publishedAt = new Date();
  const requiredFrom = fromNow(days * DAY);
  const locales = LOCALES.filter((locale) => bodies[locale]?.trim());
  await tx.db.legalText.createMany({
    data: locales.map((locale) => {
      const body = bodies[locale]!.replace(/\r\n/g, "\n").trim();
      return { key, version, locale, body, hash: Buffer.from(hashSecret(body)), publishedAt, requiredFrom };
    }),
  });
  await audit(tx, {
    action: key === AGREEMENT_KEY ? "agreement.published" : "legal_text.published",
    details: { ...(key !== AGREEMENT_KEY && { key }), version, locales: locales.join(" ") },
  });
  return requiredFrom;
}

/** `days` defaults to `agreement_grace_days`. Throws `OperatorError` for a taken name or no Turkish text. */
export async function publishAgreement({
  version,
  bodies,
  days,
}: Omit<Publication, "key" | "days"> & { days?: number }): Promise<{ requiredFrom: Date }> {
  if (!isVersionName(version)) throw new OperatorError(`${version} cannot be the name of a version.`);
  if (!bodies.tr?.trim())
    throw new OperatorError("The Turkish text is missing, which is read where there is no translation.");
  const requiredFrom = await inTransaction(async (tx) => {
    await lockLegalTexts(tx);
    if (await tx.db.legalText.count({ where: { key: AGREEMENT_KEY, version } }))
      throw new OperatorError(`Version ${version} is published already; a published text is never changed.`);
    const graceDays = days ?? (await readSetting(tx, "agreement_grace_days"));
    return publishText(createSystemContext(tx), { key: AGREEMENT_KEY, version, bodies, days: graceDays });
  });
  return { requiredFrom };
}
