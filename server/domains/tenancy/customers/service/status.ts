import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createInaccessibleError } from "@/server/core/errors";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { lockCallerAndAccounts } from "@/server/domains/accounts/users/service/own-account";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import type { setCustomerStatus } from "../contract";
import { lockCustomer } from "../statements";
import { describeCustomer } from "./customer-detail";
import { requireCustomer } from "./require-customer";
import { revokeAccessOfDeactivated } from "./revoke-access";

export async function changeCustomerStatus(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof setCustomerStatus>,
): Promise<Output<typeof setCustomerStatus>> {
  await requireCustomer(ctx, id);
  return withTransaction(ctx, async (tx) => {
    await lockCallerAndAccounts(tx, [id]);
    // The customer may have moved to another reseller in the meantime.
    const [customer] = await lockCustomer(tx, { id, resellerId: tx.actor.id });
    if (!customer) throw createInaccessibleError({ id }, "User", id);
    if (customer.isActive !== body.is_active) {
      if (body.is_active && customer.deactivatedBy !== "reseller") throw createError("customer_held");
      await updateUser(
        tx,
        { id },
        { isActive: body.is_active, deactivatedBy: body.is_active ? null : "reseller" },
      );
      if (!body.is_active) await revokeAccessOfDeactivated(tx, id);
      await audit(tx, {
        action: body.is_active ? "customer.activated" : "customer.deactivated",
        object: { type: "User", id },
        details: { reason: body.reason },
      });
      await notifyOwner(tx, id, body.is_active ? "customer_activated" : "customer_deactivated", {
        path: "/sign-in",
      });
    }
    const message = formatText(ctx.locale, "responses.customer_saved");
    return { success: true as const, message, customer: await describeCustomer(tx, id) };
  });
}
