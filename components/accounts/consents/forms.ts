import { fieldsOf } from "@/components/form/fields";
import { changeConsents } from "@/server/domains/accounts/consents/contract";
import type { MandatoryConsent } from "@/server/domains/accounts/consents/policy";
import { withMandatory } from "./mandatory";

/* Form rules, loaded on first use. */

export const neededForm = (mandatory: readonly MandatoryConsent[]) => ({
  body: withMandatory(fieldsOf(changeConsents), mandatory),
});
