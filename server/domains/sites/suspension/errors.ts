import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { SITE_LICENCE_PRICE_TRY } from "@/server/domains/sites/slots/contract";

export const suspensionErrors = {
  /** An administrator suspended the site, and the caller is none. */
  site_held: { status: 403, shape: "failure" },
  /** The site's licence is to be paid first: another one would only put that off. */
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
} as const satisfies ErrorSpecs;

type SuspensionErrors = typeof suspensionErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends SuspensionErrors {}
}
