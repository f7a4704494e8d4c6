import type { Output } from "@/server/core/contract";
import type { getSite, getSiteForecast, getSiteKeys, listSites } from "@/server/domains/sites/sites/contract";

export type Site = Output<typeof listSites>["data"][number];
export type SiteDetail = Output<typeof getSite>["data"];
export type SiteKeys = Output<typeof getSiteKeys>;
export type SiteForecast = Output<typeof getSiteForecast>;
