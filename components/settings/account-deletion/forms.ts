import * as z from "zod";
import { getBodyFields, makeRequired } from "@/components/form/fields";
import type { FormOperation } from "@/components/form/use-operation-form";
import { confirmDeletion } from "@/server/domains/settings/account-deletion/contract";

interface Values {
  code?: string;
  confirmation?: string;
}

/** The operation accepts either field; each form requires its own. */
const { code, confirmation } = getBodyFields(confirmDeletion).shape;
export const deletionForms: Record<"code" | "word", FormOperation<z.ZodType<Values, Values>>> = {
  code: { body: z.object({ code: makeRequired(code) }) },
  word: { body: z.object({ confirmation: makeRequired(confirmation) }) },
};
