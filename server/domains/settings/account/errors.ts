import * as z from "zod";
import type { ErrorSpecs } from "@/server/core/errors";
import { LOCALES } from "@/server/core/locale";

export const accountErrors = {
  current_password_wrong: { status: 422, shape: "failure" },
  locale_unsupported: {
    status: 404,
    shape: "failure",
    fields: z
      .strictObject({
        supported: z
          .array(z.string())
          .meta({ description: "Codes of the supported languages.", example: [...LOCALES] }),
      })
      .meta({ id: "LocaleUnsupported", description: "The language is not supported." }),
    fixedText: "Locale not supported",
  },
  dictionary_missing: { status: 500, shape: "failure" },
} as const satisfies ErrorSpecs;
