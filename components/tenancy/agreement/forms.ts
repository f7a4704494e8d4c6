import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { signAgreement } from "@/server/domains/tenancy/agreement/contract";

/* Rules of the form here, loaded when somebody fills it in. */

/** The version is that of the text on the page. */
export const signForm = {
  body: fieldsOf(signAgreement)
    .pick({ typed_name: true })
    .extend({ accepted: z.boolean().refine(Boolean, { error: "validation.accepted" }) }),
};
