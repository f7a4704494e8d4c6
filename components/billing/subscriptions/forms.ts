import * as z from "zod";
import { getBodyFields } from "@/components/form/fields";
import { LOCALES } from "@/server/core/locale";
import { textBlock, textLine } from "@/server/core/schema";
import { putPlan } from "@/server/domains/billing/subscriptions/contract";

const featureSchema = textLine({ max: 120 });
const MAX_PLAN_FEATURES = 20;

export function splitLines(text: string | null | undefined): string[] {
  return (text ?? "")
    .split("\n")
    .map((each) => each.trim())
    .filter(Boolean);
}

const featureLinesSchema = z
  .string()
  .refine(
    (text) =>
      splitLines(text).length <= MAX_PLAN_FEATURES &&
      splitLines(text).every((each) => featureSchema.safeParse(each).success),
    { error: "validation.plan_features" },
  );

export const planTextsFormContract = {
  body: z.object({
    features: getBodyFields(putPlan).shape.features,
    texts: z.partialRecord(
      z.enum(LOCALES),
      z.object({ description: textBlock({ max: 500 }).nullish(), lines: featureLinesSchema.nullish() }),
    ),
  }),
};
