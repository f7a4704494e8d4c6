import { fieldsOf } from "@/components/form/fields";
import { setCustomerStatus } from "@/server/domains/tenancy/customers/contract";

/* Rules of the form here, loaded when somebody fills it in. */

/** The new state is the other one. */
export const statusForm = { body: fieldsOf(setCustomerStatus).pick({ reason: true }) };
