import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";

export const siteErrors = {
  site_needs_confirmation: {
    status: 402,
    shape: "failure",
    fields: z
      .strictObject({
        requires_confirmation: z
          .literal(true)
          .meta({ description: "Always true: repeat the call with a confirmation." }),
        billing_mode: z.literal("pay_per_site").meta({ description: "Payment for the site." }),
        annual_price_try: z.int().meta({
          description: "Price of an annual licence, in whole TRY, VAT included.",
          example: SITE_LICENCE_PRICE_TRY,
        }),
      })
      .meta({ id: "SiteNeedsConfirmation", description: "The site costs an annual licence." }),
  },
  site_needs_upgrade: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        requires_upgrade: z.literal(true).meta({ description: "Always true: a larger plan is needed." }),
      })
      .meta({ id: "SiteNeedsUpgrade", description: "No free slot: a larger plan is needed." }),
  },
  /** A reseller with an overdue licence gets no new one, which would only postpone the debt. */
  licence_overdue: {
    status: 402,
    shape: "failure",
    fields: z
      .strictObject({
        reference: z
          .string()
          .meta({ description: "Reference to state on the bank transfer.", example: "L01234569" }),
        annual_price_try: z.int().meta({
          description: "Price of an annual licence, in whole TRY, VAT included.",
          example: SITE_LICENCE_PRICE_TRY,
        }),
      })
      .meta({ id: "LicenceOverdue", description: "A licence must be paid first." }),
  },
  site_held: { status: 403, shape: "failure" },
} as const satisfies ErrorSpecs;
