import { createHandler } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { deleteSite, getSiteRemoval } from "./contract";
import { forecastRemoval } from "./service/forecast";
import { removeSite } from "./service/remove";

export const siteRemoval = domain({
  operations: {
    getForecast: createHandler(getSiteRemoval, forecastRemoval),
    remove: createHandler(deleteSite, removeSite),
  },
  notices: ["site_deleted", "agent_without_site"],
  audit: ["site.deleted"],
});
