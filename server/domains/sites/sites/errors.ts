import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";

export const siteErrors = {
  site_needs_confirmation: {
    status: 402,
    shape: "failure",
    fields: z
      .strictObject({
        requires_confirmation: z.literal(true),
        billing_mode: z.literal("pay_per_site"),
        annual_price_try: z.int().meta({ example: SITE_LICENCE_PRICE_TRY }),
      })
      .meta({ id: "SiteNeedsConfirmation" }),
  },
  site_needs_upgrade: {
    status: 403,
    shape: "failure",
    fields: z.strictObject({ requires_upgrade: z.literal(true) }).meta({ id: "SiteNeedsUpgrade" }),
  },
  /** A licence is to be paid first: another one would only put that off. */
  licence_overdue: {
    status: 402,
    shape: "failure",
    fields: z
      .strictObject({
        reference: z.string().meta({ example: "L01234569" }),
        annual_price_try: z.int().meta({ example: SITE_LICENCE_PRICE_TRY }),
      })
      .meta({ id: "LicenceOverdue" }),
  },
  /** An administrator suspended the site, and the caller is none. */
  site_held: { status: 403, shape: "failure" },
} as const satisfies ErrorSpecs;

type SiteErrors = typeof siteErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends SiteErrors {}
}
