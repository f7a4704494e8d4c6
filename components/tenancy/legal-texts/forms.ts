import { fieldsOf } from "@/components/form/fields";
import { publishLegalText } from "@/server/domains/tenancy/legal-texts/contract";

/* Rules of the forms here, loaded when somebody fills one in. */

export const legalTextForm = { body: fieldsOf(publishLegalText).omit({ expected_version: true }) };
