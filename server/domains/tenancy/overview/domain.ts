import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getOverview, search as searchAll } from "./contract";
import { readOverview } from "./service/overview";
import { findRecords } from "./service/search";

export const overview = domain({
  operations: {
    get: createHandler(getOverview, readOverview),
    search: createHandler(searchAll, findRecords),
  },
});
