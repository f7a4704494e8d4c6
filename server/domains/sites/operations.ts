import { handle } from "@/server/core/contract";
import { createSite, getSite, getSiteForecast, listSites } from "./contract";
import { create } from "./service/create";
import { forecast } from "./service/forecast";
import { get, list } from "./service/read";

export const siteOperations = {
  list: handle(listSites, list),
  create: handle(createSite, create),
  get: handle(getSite, get),
  forecast: handle(getSiteForecast, forecast),
};
