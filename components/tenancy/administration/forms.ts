import { fieldsOf } from "@/components/form/fields";
import { explainAddress } from "@/server/domains/access/sign-in/contract";
import { completeSetup, signOutUser } from "@/server/domains/tenancy/administration/contract";

/* Form rules, loaded on first use. */

/** What is done to an account is the button's; only its reason is asked for. */
export const reasonForm = { body: fieldsOf(signOutUser).pick({ reason: true }) };

/** Whose sign-in is explained, and where. */
export const gatesForm = { body: explainAddress.query };

/** The operation's fields, where the password is typed once and the token is in the address. */
export const setupForm = { body: fieldsOf(completeSetup).omit({ token: true, password_confirmation: true }) };
