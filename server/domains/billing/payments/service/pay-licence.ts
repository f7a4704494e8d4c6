import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createError, createNotFoundError } from "@/server/core/errors";
import { formatMoney, toMinor } from "@/server/core/money";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { withIdempotency } from "@/server/domains/accounts/idempotency/service";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { LICENCE_ARGS, toLicenceRow, toPaymentRow } from "@/server/domains/billing/records/service/rows";
import { activateLicence } from "@/server/domains/sites/slots/service/licences";
import type { payLicence } from "../contract";
import {
  formatLongDay,
  getCustomerLocale,
  lockPayingCustomer,
  mailCustomer,
  recordPayment,
} from "./record-payment";

export async function recordLicencePayment(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof payLicence>,
): Promise<Output<typeof payLicence>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx, { routine: true });
  return withIdempotency(ctx, async (tx) => {
    const storedLicence = await tx.db.siteLicence.findUnique({
      where: { id },
      select: { userId: true, priceTry: true },
    });
    if (!storedLicence) throw createNotFoundError("SiteLicence", id);
    const customer = await lockPayingCustomer(tx, storedLicence.userId);
    if (!customer || !(await activateLicence(tx, id))) throw createError("licence_not_pending");
    const { payment, invoice } = await recordPayment(tx, customer, {
      ...body,
      amountMinor: body.amount ?? toMinor(storedLicence.priceTry),
      licenceId: id,
    });
    await audit(tx, {
      action: "licence.paid",
      object: { type: "SiteLicence", id },
      details: { user: customer.id, payment: payment.id },
    });
    const licence = await tx.db.siteLicence.findUniqueOrThrow({ where: { id }, ...LICENCE_ARGS });
    if (body.send_email !== false)
      await mailCustomer(tx, customer, {
        template: "licence_paid",
        path: "/sites",
        params: {
          domain: licence.site.deletedAt
            ? formatText(getCustomerLocale(customer), "billing.licences.deletedSite")
            : licence.site.domain,
          ends: formatLongDay(licence.periodEnd, customer),
          amount: formatMoney(payment.amountMinor, {
            currency: payment.currency,
            locale: getCustomerLocale(customer),
          }),
        },
      });
    return {
      success: true as const,
      message: formatText(ctx.locale, "responses.licence_paid"),
      licence: toLicenceRow(licence),
      payment: toPaymentRow(payment),
      invoice,
    };
  });
}
