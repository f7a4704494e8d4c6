import type * as z from "zod";
import { normaliseInput } from "@/server/core/input";
import { fieldIssues, issueText, type Labels, type Words } from "@/server/core/issues";

export interface FormCheck {
  values: unknown;
  problems: Record<string, { type: string; message: string }>;
}

/** Validates form values in the browser with the rules of the server. */
export function check(
  schema: z.ZodType | undefined,
  typed: unknown,
  words: Words,
  labels?: Labels,
): FormCheck {
  const values = normaliseInput(typed);
  const parsed = schema?.safeParse(values);
  const issues = parsed?.error ? Object.entries(fieldIssues(parsed.error, values, labels)) : [];
  const problems = issues.map(([field, [first]]) => [
    field,
    { type: first!.key, message: issueText(first!, field, words) },
  ]);
  return { values, problems: Object.fromEntries(problems) };
}
