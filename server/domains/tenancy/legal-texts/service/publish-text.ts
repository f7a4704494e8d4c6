import { type Context, systemContext } from "@/server/core/context";
import { LOCALES } from "@/server/core/locale";
import { OperatorError } from "@/server/core/operator-error";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { readSetting } from "@/server/infrastructure/settings";
import { AGREEMENT, lockTexts } from "./texts";

interface Publication {
  key: string;
  version: string;
  bodies: Record<string, string>;
  days: number;
}

/** `0` and `paper` are reserved for the shipped text and signatures on paper. */
export function isVersionName(version: string): boolean {
  return /^[\w.-]{1,40}$/.test(version) && version !== "0" && version !== "paper";
}

/** Publishes a version under {@link lockTexts}; its name must be free. Returns when it becomes required. */
export async function publishText(tx: Context, { key, version, bodies, days }: Publication): Promise<Date> {
  // Under the lock, each signature is clearly of the old or the new text.
  const publishedAt = new Date();
  const requiredFrom = fromNow(days * DAY);
  const locales = LOCALES.filter((locale) => bodies[locale]?.trim());
  await tx.db.legalText.createMany({
    data: locales.map((locale) => {
      const body = bodies[locale]!.replace(/\r\n/g, "\n").trim();
      return { key, version, locale, body, hash: Buffer.from(digest(body)), publishedAt, requiredFrom };
    }),
  });
  await audit(tx, {
    action: key === AGREEMENT ? "agreement.published" : "legal_text.published",
    details: { ...(key !== AGREEMENT && { key }), version, locales: locales.join(" ") },
  });
  return requiredFrom;
}

/** `days` defaults to the setting. Throws `OperatorError` for a taken name or no Turkish text. */
export async function publishAgreement({
  version,
  bodies,
  days,
}: Omit<Publication, "key" | "days"> & { days?: number }): Promise<{ requiredFrom: Date }> {
  if (!isVersionName(version)) throw new OperatorError(`${version} cannot be the name of a version.`);
  if (!bodies.tr?.trim())
    throw new OperatorError("The Turkish text is missing, which is read where there is no translation.");
  const requiredFrom = await inTransaction(async (tx) => {
    await lockTexts(tx);
    if (await tx.db.legalText.count({ where: { key: AGREEMENT, version } }))
      throw new OperatorError(`Version ${version} is published already; a published text is never changed.`);
    const grace = days ?? (await readSetting(tx, "agreement_grace_days"));
    return publishText(systemContext(tx), { key: AGREEMENT, version, bodies, days: grace });
  });
  return { requiredFrom };
}
