import * as z from "zod";
import { RegisterInput } from "@/server/domains/access/registration/contract";
import { MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/contract";

const always = { when: () => true };

/**
 * The operation's fields as the form has them: the password is typed once, and missing consents are reported before
 * the form is sent.
 */
const Fields = z.object({ ...RegisterInput.shape, password_confirmation: z.string().nullish() });

export const SignUpInput = MANDATORY_CONSENTS.reduce(
  (schema, key) =>
    schema.refine(({ consents }) => consents?.[key] === true, {
      path: ["consents", key],
      error: "validation.accepted",
      ...always,
    }),
  Fields,
);
