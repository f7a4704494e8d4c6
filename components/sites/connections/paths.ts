import type { Route } from "next";
import type { ConnectableChannel } from "@/server/domains/sites/connections/policy";

/** Returns the page of the channel wizard for a channel or, without one, for its first step. */
export function getWizardPath({
  channel,
  siteId,
}: {
  channel?: ConnectableChannel;
  siteId?: number;
} = {}): Route {
  const query = new URLSearchParams({
    ...(channel && { channel }),
    ...(siteId !== undefined && { site: String(siteId) }),
  }).toString();
  return `/connections/new${query && "?"}${query}` as Route;
}

export const getConnectedPath = (id: number): Route => `/connections/new?connected=${id}` as Route;

export const getReconnectPath = (id: number): Route => `/connections/${id}/reconnect` as Route;

export const getReconnectedPath = (id: number): Route => `/connections/${id}/reconnect?done=1` as Route;
