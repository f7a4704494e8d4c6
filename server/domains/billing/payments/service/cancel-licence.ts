import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { lockCallerAndAccount } from "@/server/domains/accounts/users/service/own-account";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { LICENCE_ARGS, toLicenceRow } from "@/server/domains/billing/records/service/rows";
import { waiveLicence } from "@/server/domains/sites/slots/service/waive";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { cancelLicence } from "../contract";

export async function cancelPendingLicence(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof cancelLicence>,
): Promise<Output<typeof cancelLicence>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx);
  return withTransaction(ctx, async (tx) => {
    const storedLicence = await tx.db.siteLicence.findUnique({ where: { id }, select: { userId: true } });
    if (!storedLicence) throw createNotFoundError("SiteLicence", id);
    await lockCallerAndAccount(tx, storedLicence.userId);
    if (!(await waiveLicence(tx, id))) throw createError("licence_not_pending");
    await audit(tx, {
      action: "licence.cancelled",
      object: { type: "SiteLicence", id },
      details: { user: storedLicence.userId, reason: body.reason },
    });
    const licence = await tx.db.siteLicence.findUniqueOrThrow({ where: { id }, ...LICENCE_ARGS });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.licence_cancelled"),
      licence: toLicenceRow(licence),
    };
  });
}
