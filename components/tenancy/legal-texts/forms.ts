import * as z from "zod";
import { getBodyFields } from "@/components/form/fields";
import { publishLegalText, signAgreement } from "@/server/domains/tenancy/legal-texts/contract";

export const legalTextForm = { body: getBodyFields(publishLegalText).omit({ expected_version: true }) };

export const signForm = {
  body: getBodyFields(signAgreement)
    .pick({ typed_name: true })
    .extend({ accepted: z.boolean().refine(Boolean, { error: "validation.accepted" }) }),
};
