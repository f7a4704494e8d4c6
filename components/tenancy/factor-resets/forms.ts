import { fieldsOf } from "@/components/form/fields";
import { resetTwoFactor } from "@/server/domains/tenancy/factor-resets/contract";

/* Rules of the form here, loaded when somebody fills it in. */

/** All second factors are reset; only the reason is asked for. */
export const requestForm = { body: fieldsOf(resetTwoFactor).pick({ reason: true }) };
