import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import {
  getAccountOverview,
  getOverview,
  getResellerOverview,
  getResellerSetup,
  search as searchAll,
} from "./contract";
import { readAccountOverview } from "./service/account";
import { readOverview, readResellerOverview } from "./service/overview";
import { findRecords } from "./service/search";
import { readResellerSetup } from "./service/setup";

export const overview = domain({
  operations: {
    get: createHandler(getOverview, readOverview),
    getReseller: createHandler(getResellerOverview, readResellerOverview),
    getSetup: createHandler(getResellerSetup, readResellerSetup),
    getAccount: createHandler(getAccountOverview, readAccountOverview),
    search: createHandler(searchAll, findRecords),
  },
});
