import { fieldsOf } from "@/components/form/fields";
import { changeConsents } from "@/server/domains/accounts/consents/contract";
import type { MandatoryConsent } from "@/server/domains/accounts/consents/policy";
import { withMandatory } from "./mandatory";

/* Rules of the forms here, loaded when somebody fills one in. */

export const neededForm = (mandatory: readonly MandatoryConsent[]) => ({
  body: withMandatory(fieldsOf(changeConsents), mandatory),
});
