import * as z from "zod";
import { fieldsOf } from "@/components/form/fields";
import { LOCALES } from "@/server/core/locale";
import { block, line } from "@/server/core/schema";
import { putPlan } from "@/server/domains/billing/subscriptions/contract";

/* Form schemas, loaded when a form is used. */

const FEATURE = line({ max: 120 });
const FEATURES_MAX = 20;

/** Splits a text into trimmed lines without empty ones. */
export function linesOf(text: string | null | undefined): string[] {
  return (text ?? "")
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
}

const lines = z
  .string()
  .refine(
    (text) =>
      linesOf(text).length <= FEATURES_MAX && linesOf(text).every((each) => FEATURE.safeParse(each).success),
    { error: "validation.plan_features" },
  );

export const planTextsForm = {
  body: z.object({
    features: fieldsOf(putPlan).shape.features,
    texts: z.partialRecord(
      z.enum(LOCALES),
      z.object({ description: block({ max: 500 }).nullish(), lines: lines.nullish() }),
    ),
  }),
};
