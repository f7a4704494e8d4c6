import { getBodyFields } from "@/components/form/fields";
import { changeConsents } from "@/server/domains/accounts/consents/contract";
import type { MandatoryConsent } from "@/server/domains/accounts/consents/policy";
import { withMandatoryConsents } from "./with-mandatory-consents";

/* Form schemas. Import them dynamically: they load zod and the contracts. */

export const buildConsentsForm = (mandatory: readonly MandatoryConsent[]) => ({
  body: withMandatoryConsents(getBodyFields(changeConsents), mandatory),
});
