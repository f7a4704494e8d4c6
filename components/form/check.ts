import type * as z from "zod";
import { normaliseInput } from "@/server/core/input";
import { fieldIssues, issueText, type Labels, type Words } from "@/server/core/issues";

/** The values as the server will read them, and the first problem of each field, in the server's words. */
export interface Checked {
  values: unknown;
  problems: Record<string, { type: string; message: string }>;
}

/** Checks a form's values as the server would, before they are sent. */
export function check(schema: z.ZodType | undefined, typed: unknown, words: Words, labels?: Labels): Checked {
  const values = normaliseInput(typed);
  const parsed = schema?.safeParse(values);
  const found = parsed?.error ? Object.entries(fieldIssues(parsed.error, values, labels)) : [];
  const problems = found.map(([field, [first]]) => [
    field,
    { type: first!.key, message: issueText(first!, field, words) },
  ]);
  return { values, problems: Object.fromEntries(problems) };
}
