import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { getOverview, getResellerOverview, search as searchAll } from "./contract";
import { readOverview, readResellerOverview } from "./service/overview";
import { findRecords } from "./service/search";

export const overview = domain({
  operations: {
    get: createHandler(getOverview, readOverview),
    getReseller: createHandler(getResellerOverview, readResellerOverview),
    search: createHandler(searchAll, findRecords),
  },
});
