import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getDictionary, getI18nMeta, putUserLocale } from "./contract";
import { localeErrors } from "./errors";
import * as service from "./service";

export const locales = domain({
  operations: {
    getMeta: handle(getI18nMeta, service.getMeta),
    getDictionary: handle(getDictionary, service.get),
    setLocale: handle(putUserLocale, service.setLocale),
  },
  audit: ["profile.locale_changed"],
  errors: localeErrors,
});
