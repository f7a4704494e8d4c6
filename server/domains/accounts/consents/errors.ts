import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

const Missing = z
  .strictObject({
    missing_consents: z
      .array(z.string())
      .meta({ description: "Mandatory consents that are not given.", example: ["terms", "privacy"] }),
  })
  .meta({ id: "ConsentsMissing", description: "Mandatory consents are missing." });

export const consentErrors = {
  consents_missing: {
    status: 422,
    shape: "failure",
    fields: Missing,
  },
  consents_required: {
    status: 403,
    shape: "failure",
    fields: Missing,
  },
  consents_mandatory: {
    status: 422,
    shape: "failure",
    fields: Missing,
  },
} as const satisfies ErrorSpecs;
