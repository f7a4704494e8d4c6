import { getBodyFields } from "@/components/form/fields";
import { resetTwoFactor } from "@/server/domains/tenancy/factor-resets/contract";

/** The panel always resets all factors, so only the reason is typed. */
export const factorResetForm = { body: getBodyFields(resetTwoFactor).pick({ reason: true }) };
