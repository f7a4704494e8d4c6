import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withLockedOwnAccount } from "@/server/domains/accounts/users/service/own-account";
import type { testAccounting } from "../contract";
import { parasut } from "../parasut.provider";
import { ACCESS_ROW_FILTER } from "./access";
import { createCallFunction } from "./call";

/** Tests the connection to the accounting service. Resumes paused invoicing if all checks pass. */
export async function testAccountingConnection(
  ctx: Context<UserActor>,
  _: Input<typeof testAccounting>,
): Promise<Output<typeof testAccounting>> {
  requireAdministrator(ctx.actor);
  if (!env().parasut)
    return {
      success: true,
      message: formatText(ctx.locale, "responses.accounting_not_configured"),
      ok: false,
      checks: [],
    };
  const checks = await parasut.checkSettings(createCallFunction(async () => {}));
  const ok = checks.every((each) => each.ok);
  await withLockedOwnAccount(ctx, async (tx) => {
    if (ok)
      await tx.db.accountingAccess.update({
        where: ACCESS_ROW_FILTER,
        data: { pausedAt: null, pausedReason: null, testedAt: new Date() },
        select: { id: true },
      });
    await audit(tx, { action: "accounting.tested", details: { ok } });
  });
  const messageKey = ok ? "responses.accounting_tested" : "responses.accounting_test_failed";
  return { success: true, message: formatText(ctx.locale, messageKey), ok, checks };
}
