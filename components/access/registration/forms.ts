import { withMandatory } from "@/components/accounts/consents/mandatory";
import { fieldsOf } from "@/components/form/fields";
import { register } from "@/server/domains/access/registration/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

/** The operation's fields, where the password is typed once. */
export const signUpForm = {
  body: withMandatory(fieldsOf(register).omit({ password_confirmation: true })),
};
