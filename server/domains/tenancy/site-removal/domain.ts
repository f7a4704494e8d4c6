import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { deleteSite, getSiteRemoval } from "./contract";
import { forecastRemoval } from "./service/forecast";
import { removeSite } from "./service/remove";

export const siteRemoval = domain({
  operations: {
    getForecast: handle(getSiteRemoval, forecastRemoval),
    remove: handle(deleteSite, removeSite),
  },
  notices: ["site_deleted", "agent_without_site"],
  audit: ["site.deleted"],
});
