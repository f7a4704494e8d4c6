import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { outOfReach, refuse } from "@/server/core/errors";
import { formatMoney, ofWhole } from "@/server/core/money";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { once } from "@/server/domains/accounts/idempotency/service";
import { requireProof } from "@/server/domains/accounts/users/service/proof";
import { LICENCE, licenceRow, paymentRow } from "@/server/domains/billing/records/service/rows";
import { activateLicence } from "@/server/domains/sites/slots/service/licences";
import type { payLicence } from "../contract";
import { languageOf, longDay, mailCustomer, payingCustomer, record } from "./record";

export async function pay(
  ctx: Context<UserActor>,
  { params: { id }, body }: Input<typeof payLicence>,
): Promise<Output<typeof payLicence>> {
  requireAdministrator(ctx.actor);
  await requireProof(ctx, { routine: true });
  return once(ctx, async (tx) => {
    const stored = await tx.db.siteLicence.findUnique({
      where: { id },
      select: { userId: true, priceTry: true },
    });
    if (!stored) throw outOfReach(undefined, "SiteLicence", id);
    const customer = await payingCustomer(tx, stored.userId);
    if (!customer || !(await activateLicence(tx, id))) throw refuse("licence_not_pending");
    const { payment, invoice } = await record(tx, customer, {
      ...body,
      amountMinor: body.amount ?? ofWhole(stored.priceTry),
      licenceId: id,
    });
    await audit(tx, {
      action: "licence.paid",
      object: { type: "SiteLicence", id },
      details: { user: customer.id, payment: payment.id },
    });
    const licence = await tx.db.siteLicence.findUniqueOrThrow({ where: { id }, ...LICENCE });
    if (body.send_email !== false)
      await mailCustomer(tx, customer, {
        template: "licence_paid",
        path: "/sites",
        params: {
          domain: licence.site.deletedAt
            ? text(languageOf(customer), "billing.licences.deletedSite")
            : licence.site.domain,
          ends: longDay(licence.periodEnd, customer),
          amount: formatMoney(payment.amountMinor, {
            currency: payment.currency,
            locale: languageOf(customer),
          }),
        },
      });
    return {
      success: true as const,
      message: text(ctx.locale, "responses.licence_paid"),
      licence: licenceRow(licence),
      payment: paymentRow(payment),
      invoice,
    };
  });
}
