import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getDictionary, getI18nMeta, putUserLocale } from "./contract";
import { localeErrors } from "./errors";
import * as service from "./service";

export const locales = domain({
  operations: {
    meta: handle(getI18nMeta, service.meta),
    dictionary: handle(getDictionary, service.read),
    choose: handle(putUserLocale, service.choose),
  },
  audit: ["profile.locale_changed"],
  errors: localeErrors,
});
