import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";

export const localeErrors = {
  locale_unsupported: {
    status: 404,
    shape: "failure",
    fields: z.strictObject({ supported: z.array(z.string()) }),
    technical: "Locale not supported",
  },
  dictionary_missing: { status: 500, shape: "failure" },
} as const satisfies ErrorSpecs;

type LocaleErrors = typeof localeErrors;
declare module "@/server/core/errors" {
  interface ErrorTable extends LocaleErrors {}
}
