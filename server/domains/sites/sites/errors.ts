import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

export const siteErrors = {
  site_needs_confirmation: {
    status: 402,
    shape: "failure",
    fields: z.strictObject({
      requires_confirmation: z.literal(true),
      billing_mode: z.literal("pay_per_site"),
      annual_price_try: z.int(),
    }),
  },
  site_needs_upgrade: {
    status: 403,
    shape: "failure",
    fields: z.strictObject({ requires_upgrade: z.literal(true) }),
  },
} as const satisfies ErrorSpecs;

type SiteErrors = typeof siteErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends SiteErrors {}
}
