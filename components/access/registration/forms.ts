import { withMandatoryConsents } from "@/components/accounts/consents/with-mandatory-consents";
import { getBodyFields } from "@/components/form/fields";
import { register } from "@/server/domains/access/registration/contract";

/** Without the confirmation: the user types the password once. */
export const signUpForm = {
  body: withMandatoryConsents(getBodyFields(register).omit({ password_confirmation: true })),
};
