import { getBodyFields } from "@/components/form/fields";
import { setCustomerStatus } from "@/server/domains/tenancy/customers/contract";

export const statusForm = { body: getBodyFields(setCustomerStatus).pick({ reason: true }) };
