import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { User } from "@/server/domains/accounts/profile/contract";
import { Contact, portalAddress } from "./contract";

const passive = {
  status: 403,
  shape: "failure",
  fields: z
    .strictObject({ account_disabled: z.literal(true), contact: Contact })
    .meta({ id: "AccountDisabled" }),
} as const;

export const signInErrors = {
  credentials_wrong: { status: 401, shape: "failure" },
  email_unverified: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({ requires_verification: z.literal(true), email: User.shape.email })
      .meta({ id: "EmailUnverified" }),
  },
  account_disabled: passive,
  /** The account of an agent's team or site is passive. */
  employer_disabled: passive,
  portal_locked: {
    status: 403,
    shape: "failure",
    fields: z
      .strictObject({ portal_locked: z.literal(true), portal_url: portalAddress })
      .meta({ id: "PortalLocked" }),
  },
  reset_invalid: { status: 400, shape: "refusal" },
  interim_invalid: { status: 401, shape: "failure" },
  proof_wrong: { status: 422, shape: "failure" },
  factor_code_wrong: {
    status: 422,
    shape: "failure",
    fields: z
      .strictObject({ remaining_attempts: z.int().min(0).meta({ example: 4 }) })
      .meta({ id: "FactorCodeWrong" }),
  },
} as const satisfies ErrorSpecs;

type SignInErrors = typeof signInErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends SignInErrors {}
}
