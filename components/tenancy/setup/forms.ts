import { fieldsOf } from "@/components/form/fields";
import { completeSetup } from "@/server/domains/tenancy/setup/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

/** The operation's fields, where the password is typed once and the token is in the address. */
export const setupForm = { body: fieldsOf(completeSetup).omit({ token: true, password_confirmation: true }) };
