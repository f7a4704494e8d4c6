import type * as z from "zod";
import { normaliseInput } from "@/server/core/input";
import { getIssueText, type Labels, type MessageSource, toFieldIssues } from "@/server/core/issues";

export interface FormValidation {
  values: unknown;
  problems: Record<string, { type: string; message: string }>;
}

export function validateForm(
  schema: z.ZodType | undefined,
  input: unknown,
  messages: MessageSource,
  labels?: Labels,
): FormValidation {
  const values = normaliseInput(input);
  const result = schema?.safeParse(values);
  const issues = result?.error ? Object.entries(toFieldIssues(result.error, values, labels)) : [];
  const problems = issues.map(([field, [firstIssue]]) => [
    field,
    { type: firstIssue!.key, message: getIssueText(firstIssue!, field, messages) },
  ]);
  return { values, problems: Object.fromEntries(problems) };
}
