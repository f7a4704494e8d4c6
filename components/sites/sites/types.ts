import type { Output } from "@/server/core/contract";
import type { getSiteKeys } from "@/server/domains/sites/external-keys/contract";
import type { getSite, getSiteForecast, listSites } from "@/server/domains/sites/sites/contract";

export type Site = Output<typeof listSites>["data"][number];
export type SiteDetail = Output<typeof getSite>["data"];
export type SiteKeys = Output<typeof getSiteKeys>;
export type SiteForecast = Output<typeof getSiteForecast>;
