import type { Answer } from "@/server/core/contract";
import type { getSite, getSiteForecast, getSiteKeys, listSites } from "@/server/domains/sites/sites/contract";

export type Site = Answer<typeof listSites>["data"][number];
export type SiteDetail = Answer<typeof getSite>["data"];
export type SiteKeys = Answer<typeof getSiteKeys>;
export type SiteForecast = Answer<typeof getSiteForecast>;
