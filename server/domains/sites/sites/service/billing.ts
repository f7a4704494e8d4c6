import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import { AppError } from "@/server/core/errors";
import { isoMicros } from "@/server/core/time";
import { requireSigned } from "@/server/domains/accounts/portal-lock/service";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { type Debt, debtOf, openLicence } from "@/server/domains/sites/slots/service";
import type { Work } from "@/server/infrastructure/database/transaction";
import type { Confirmation, SiteBilling } from "../contract";

/**
 * Without a slot, resellers must confirm a licence, owe none of a site that is deleted, and have signed their agreement;
 * others need another plan.
 */
export async function requireLicence(
  { sql, actor }: Pick<Context<UserActor>, "sql" | "actor">,
  body: z.output<typeof Confirmation>,
): Promise<void> {
  if (actor.role !== "reseller") throw new AppError("site_needs_upgrade", { requires_upgrade: true });
  if (!body.confirm_pay_per_site && !body.confirm_paid_site)
    throw new AppError("site_needs_confirmation", {
      requires_confirmation: true,
      billing_mode: "pay_per_site",
      annual_price_try: SITE_LICENCE_PRICE_TRY,
    });
  const debt = await debtOf({ sql }, actor.id);
  if (debt) throw licenceOverdue(debt);
  await requireSigned({ sql, actor });
}

export function licenceOverdue({ reference, priceTry }: Debt): AppError<"licence_overdue"> {
  return new AppError("licence_overdue", { reference, annual_price_try: priceTry });
}

/** Opens the licence of a site, in the name of whoever confirmed it. */
export async function licenceBilling(
  work: Pick<Work, "sql">,
  userId: number,
  siteId: number,
): Promise<z.output<typeof SiteBilling>> {
  const licence = await openLicence(work, { userId, siteId });
  return {
    mode: "pay_per_site",
    annual_price_try: SITE_LICENCE_PRICE_TRY,
    license_id: licence.id,
    license_status: "pending",
    period_end: isoMicros(licence.periodEnd),
  };
}
