import type * as z from "zod";
import {
  type Consents,
  MANDATORY_CONSENTS,
  type MandatoryConsent,
} from "@/server/domains/accounts/consents/contract";

export function withMandatoryConsents<Schema extends z.ZodType<{ consents?: Consents | null }>>(
  bodySchema: Schema,
  keys: readonly MandatoryConsent[] = MANDATORY_CONSENTS,
): Schema {
  return keys.reduce(
    (schema, key) =>
      schema.refine(({ consents }) => consents?.[key] === true, {
        path: ["consents", key],
        error: "validation.accepted",
        when: () => true,
      }),
    bodySchema,
  );
}
