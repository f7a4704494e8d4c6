import type * as z from "zod";
import type { Context, UserActor } from "@/server/core/context";
import { AppError } from "@/server/core/errors";
import { toIsoMicros } from "@/server/core/time";
import { requireAgreement } from "@/server/domains/accounts/portals/service/access";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";
import { type Debt, findOldestDebt, openLicence } from "@/server/domains/sites/slots/service";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { LicenceConfirmation, SiteBilling } from "../contract";

/** Requires a reseller without debts who confirmed the price and signed the agreement. */
export async function requireLicenceAllowed(
  { sql, actor }: Pick<Context<UserActor>, "sql" | "actor">,
  { domain, ...body }: z.output<typeof LicenceConfirmation> & { domain: string },
): Promise<void> {
  if (actor.role !== "reseller") throw new AppError("site_needs_upgrade", { requires_upgrade: true });
  if (!body.confirm_pay_per_site && !body.confirm_paid_site)
    throw new AppError("site_needs_confirmation", {
      requires_confirmation: true,
      billing_mode: "pay_per_site",
      annual_price_try: SITE_LICENCE_PRICE_TRY,
    });
  await requireNoDebt({ sql }, { userId: actor.id, domain });
  await requireAgreement({ sql, actor });
}

async function requireNoDebt(
  access: Pick<DbAccess, "sql">,
  input: { userId: number; domain: string },
): Promise<void> {
  const debt = await findOldestDebt(access, input);
  if (debt) throw licenceOverdueError(debt);
}

export function licenceOverdueError({ reference, priceTry, domain }: Debt): AppError<"licence_overdue"> {
  return new AppError(
    "licence_overdue",
    { reference, annual_price_try: priceTry },
    // Debts of older releases may have no domain.
    { params: { domain: domain ?? reference } },
  );
}

export async function openLicenceForSite(
  access: Pick<DbAccess, "sql">,
  { userId, siteId, domain }: { userId: number; siteId: number; domain: string },
): Promise<z.output<typeof SiteBilling>> {
  // Check again: the insert may have waited for the deletion of an unpaid site with this domain.
  await requireNoDebt(access, { userId, domain });
  const licence = await openLicence(access, { userId, siteId });
  return {
    mode: "pay_per_site",
    annual_price_try: SITE_LICENCE_PRICE_TRY,
    license_id: licence.id,
    license_status: "pending",
    period_end: toIsoMicros(licence.periodEnd),
  };
}
