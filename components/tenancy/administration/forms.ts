import { fieldsOf } from "@/components/form/fields";
import { explainAddress } from "@/server/domains/access/sign-in/contract";
import { completeSetup, signOutUser } from "@/server/domains/tenancy/administration/contract";

/** Only the reason; the action is the button's. */
export const reasonForm = { body: fieldsOf(signOutUser).pick({ reason: true }) };

export const gatesForm = { body: explainAddress.query };

/** The password is typed once, and the token is in the URL. */
export const setupForm = { body: fieldsOf(completeSetup).omit({ token: true, password_confirmation: true }) };
