import * as z from "zod";
import { fieldsOf, requiredField } from "@/components/form/fields";
import type { FormOperation } from "@/components/form/use-operation-form";
import { confirmDeletion } from "@/server/domains/settings/account-deletion/contract";

/* Form rules, loaded on first use. */

interface Values {
  code?: string;
  confirmation?: string;
}

/** Each form requires its field; the operation accepts either. */
const { code, confirmation } = fieldsOf(confirmDeletion).shape;
export const forms: Record<"code" | "word", FormOperation<z.ZodType<Values, Values>>> = {
  code: { body: z.object({ code: requiredField(code) }) },
  word: { body: z.object({ confirmation: requiredField(confirmation) }) },
};
