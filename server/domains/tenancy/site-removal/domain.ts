import { handle } from "@/server/core/contract";
import { domain } from "@/server/core/domain";
import { deleteSite, getSiteRemoval } from "./contract";
import { forecast } from "./service/forecast";
import { remove } from "./service/remove";

export const siteRemoval = domain({
  operations: {
    getForecast: handle(getSiteRemoval, forecast),
    remove: handle(deleteSite, remove),
  },
  notices: ["site_deleted", "agent_without_site"],
  audit: ["site.deleted"],
});
