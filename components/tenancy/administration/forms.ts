import { fieldsOf } from "@/components/form/fields";
import { explainAddress } from "@/server/domains/access/gates/contract";
import { signOutUser } from "@/server/domains/tenancy/administration/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

/** What is done to an account is the button's; only its reason is asked for. */
export const reasonForm = { body: fieldsOf(signOutUser).pick({ reason: true }) };

/** Whose sign-in is explained, and where. */
export const gatesForm = { body: explainAddress.query };
