import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { portalUrlField } from "@/server/domains/accounts/portals/contract";
import { User } from "@/server/domains/accounts/profile/contract";
import { Contact } from "./contract";

const disabledAccountError = {
  status: 403,
  shape: "failure",
  fields: z
    .strictObject({
      account_disabled: z.literal(true).meta({ description: "Always true: the account is deactivated." }),
      contact: Contact,
    })
    .meta({ id: "AccountDisabled", description: "The account is deactivated." }),
} as const;

export const signInErrors = {
  credentials_wrong: { status: 401, shape: "failure" },
  email_unverified: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        requires_verification: z
          .literal(true)
          .meta({ description: "Always true: the email address must be verified first." }),
        email: User.shape.email,
      })
      .meta({ id: "EmailUnverified", description: "The email address is not verified yet." }),
  },
  account_disabled: disabledAccountError,
  /** An agent's employer is the owner of the team or site. */
  employer_disabled: disabledAccountError,
  portal_locked: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({
        portal_locked: z
          .literal(true)
          .meta({ description: "Always true: the account signs in at its reseller's portal." }),
        portal_url: portalUrlField.meta({ description: "URL of the portal." }),
      })
      .meta({ id: "PortalLocked", description: "The account signs in at its reseller's portal." }),
  },
  reset_invalid: { status: 400, shape: "refusal" },
  interim_invalid: { status: 401, shape: "failure" },
  proof_wrong: { status: 422, shape: "failure" },
  factor_code_wrong: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({
        remaining_attempts: z.int().min(0).meta({ description: "Number of attempts left.", example: 4 }),
      })
      .meta({ id: "FactorCodeWrong", description: "The code is wrong." }),
  },
  /** Link to review recent additions to an account. */
  review_invalid: { status: 400, shape: "refusal" },
} as const satisfies ErrorSpecs;
