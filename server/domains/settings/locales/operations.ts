import { handle } from "@/server/core/contract";
import { getDictionary, getI18nMeta, putUserLocale } from "./contract";
import * as locales from "./service";

export const localeOperations = {
  meta: handle(getI18nMeta, locales.meta),
  dictionary: handle(getDictionary, locales.read),
  choose: handle(putUserLocale, locales.choose),
};
