import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

export const consentErrors = {
  consents_missing: {
    status: 422,
    shape: "failure",
    fields: z.strictObject({ missing_consents: z.array(z.string()) }),
  },
  consents_required: {
    status: 403,
    shape: "failure",
    fields: z.strictObject({ missing_consents: z.array(z.string()) }),
  },
  consents_mandatory: {
    status: 422,
    shape: "failure",
    fields: z.strictObject({ missing_consents: z.array(z.string()) }),
  },
} as const satisfies ErrorSpecs;

type ConsentErrors = typeof consentErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends ConsentErrors {}
}
