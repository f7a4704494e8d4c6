import { withMandatory } from "@/components/accounts/consents/mandatory";
import { fieldsOf } from "@/components/form/fields";
import { register } from "@/server/domains/access/registration/contract";

/** The password is typed once. */
export const signUpForm = {
  body: withMandatory(fieldsOf(register).omit({ password_confirmation: true })),
};
