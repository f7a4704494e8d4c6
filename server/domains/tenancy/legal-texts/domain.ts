import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getLegalText, listLegalTexts, previewLegalText, publishLegalText } from "./contract";
import { publish } from "./service/publish";
import { get, list, preview } from "./service/read";

export const legalTexts = domain({
  operations: {
    list: handle(listLegalTexts, list),
    get: handle(getLegalText, get),
    preview: handle(previewLegalText, preview),
    publish: handle(publishLegalText, publish),
  },
  audit: ["legal_text.published"],
});
