import { handle } from "@/server/core/contract";
import {
  createSite,
  getSite,
  getSiteForecast,
  getSiteKeys,
  listSites,
  regenerateExternalKey,
} from "./contract";
import { create } from "./service/create";
import { keys, regenerate } from "./service/external-key";
import { forecast } from "./service/forecast";
import { get, list } from "./service/read";

export const siteOperations = {
  list: handle(listSites, list),
  create: handle(createSite, create),
  get: handle(getSite, get),
  forecast: handle(getSiteForecast, forecast),
  keys: handle(getSiteKeys, keys),
  regenerateExternalKey: handle(regenerateExternalKey, regenerate),
};
