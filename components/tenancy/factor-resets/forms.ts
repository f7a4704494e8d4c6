import { fieldsOf } from "@/components/form/fields";
import { resetTwoFactor } from "@/server/domains/tenancy/factor-resets/contract";

/** Always resets all factors; only the reason is typed. */
export const requestForm = { body: fieldsOf(resetTwoFactor).pick({ reason: true }) };
