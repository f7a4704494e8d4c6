import { getBodyFields } from "@/components/form/fields";
import { setCustomerStatus } from "@/server/domains/tenancy/customers/contract";

/** Only the reason is typed. The new state is the opposite of the current one. */
export const statusForm = { body: getBodyFields(setCustomerStatus).pick({ reason: true }) };
