import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { AppError, invalidField } from "@/server/core/errors";
import { LOCALES } from "@/server/core/locale";
import { formatText } from "@/server/core/texts";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { readSetting } from "@/server/infrastructure/settings";
import type { publishLegalText } from "../contract";
import { lockLegalTexts } from "./agreement-texts";
import { getShippedVersion, readCurrentText } from "./current-text";
import { isVersionName, publishText } from "./publish-text";

export async function publishNewVersion(
  ctx: Context<UserActor>,
  { params: { key }, body }: Input<typeof publishLegalText>,
): Promise<Output<typeof publishLegalText>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  const { version, days } = body;
  const bodies = Object.fromEntries(LOCALES.flatMap((locale) => [[locale, body.bodies[locale] ?? ""]]));
  if (!isVersionName(version) || version === getShippedVersion(key))
    throw invalidField("version", "legal_version");
  const newText = await withLockedOwnAccount(ctx, async (tx) => {
    await lockLegalTexts(tx);
    const currentText = await readCurrentText(tx, key);
    if (currentText.version !== body.expected_version)
      throw new AppError("stale", { current: { version: currentText.version, bodies: currentText.bodies } });
    if ((await tx.db.legalText.count({ where: { key, version } })) > 0)
      throw invalidField("version", "legal_version");
    const graceDays = key === "agreement" ? (days ?? (await readSetting(tx, "agreement_grace_days"))) : 0;
    await publishText(tx, { key, version, bodies, days: graceDays });
    return readCurrentText(tx, key);
  });
  return { success: true, message: formatText(ctx.locale, "responses.legal_text_published"), text: newText };
}
