import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

const MissingConsentsFields = z
  .strictObject({
    missing_consents: z
      .array(z.string())
      .meta({ description: "Keys of these consents.", example: ["terms", "privacy"] }),
  })
  .meta({
    id: "ConsentsMissing",
    description: "Mandatory consents that are missing or cannot be withdrawn.",
  });

export const consentErrors = {
  /** Registration or acceptance of an invitation without all mandatory consents. */
  consents_missing: {
    status: 422,
    shape: "failure",
    fields: MissingConsentsFields,
  },
  /** Creation of a site by an account that lacks mandatory consents. */
  consents_required: {
    status: 403,
    shape: "failure",
    fields: MissingConsentsFields,
  },
  consents_mandatory: {
    status: 422,
    shape: "failure",
    fields: MissingConsentsFields,
  },
} as const satisfies ErrorSpecs;
