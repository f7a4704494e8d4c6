import { systemContext } from "@/server/core/context";
import { LOCALES } from "@/server/core/locale";
import { DAY, fromNow } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { lockSignatures } from "../statements";
import { AGREEMENT } from "./texts";

interface Publication {
  version: string;
  /** By language; Turkish must be among them. */
  bodies: Record<string, string>;
  /** How many days older signatures still count. */
  days: number;
}

/** Publishes a version of the agreement. Throws a sentence for one that exists, or a text that is missing. */
export async function publishAgreement({
  version,
  bodies,
  days,
}: Publication): Promise<{ requiredFrom: Date }> {
  if (!/^[\w.-]{1,40}$/.test(version) || version === "0" || version === "paper")
    throw new Error(`${version} cannot be the name of a version.`);
  if (!bodies.tr?.trim())
    throw new Error("The Turkish text is missing, which is read where there is no translation.");
  const requiredFrom = fromNow(days * DAY);
  const locales = LOCALES.filter((locale) => bodies[locale]?.trim());
  await inTransaction(async (tx) => {
    await lockSignatures(tx);
    // Under the lock: every signature is before it or of it.
    const publishedAt = new Date();
    if (await tx.db.legalText.count({ where: { key: AGREEMENT, version } }))
      throw new Error(`Version ${version} is published already; a published text is never changed.`);
    await tx.db.legalText.createMany({
      data: locales.map((locale) => {
        const body = bodies[locale]!.replace(/\r\n/g, "\n").trim();
        return {
          key: AGREEMENT,
          version,
          locale,
          body,
          hash: Buffer.from(digest(body)),
          publishedAt,
          requiredFrom,
        };
      }),
    });
    await audit(systemContext(tx), {
      action: "agreement.published",
      details: { version, locales: locales.join(" ") },
    });
  });
  return { requiredFrom };
}
