import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getLegalText, listLegalTexts, previewLegalText, publishLegalText, readLegalText } from "./contract";
import { read } from "./service/public";
import { publish } from "./service/publish";
import { get, list, preview } from "./service/read";

export const legalTexts = domain({
  operations: {
    list: handle(listLegalTexts, list),
    get: handle(getLegalText, get),
    read: handle(readLegalText, read),
    preview: handle(previewLegalText, preview),
    publish: handle(publishLegalText, publish),
  },
  audit: ["legal_text.published"],
});
