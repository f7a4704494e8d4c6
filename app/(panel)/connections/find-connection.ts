import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
import type { OwnSite } from "@/components/sites/connections/types";
import type { Site } from "@/components/sites/sites/types";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";

/** Returns a connection that the viewer may manage; any other id is a missing page. */
export const findManageableConnection = cache(async (id: string) => {
  const { api } = await getPanelCaller();
  const { connection } = await api.connections.get({ params: { id } }).catch((error: unknown) => {
    const cause = (error as Error).cause;
    if (isAppError(cause) && [403, 404, 422].includes(cause.status)) notFound();
    throw error;
  });
  if (!connection.can_manage) notFound();
  return connection;
});

export async function listOwnSites(userId: number): Promise<OwnSite[]> {
  const { api } = await getPanelCaller();
  return toOwnSites((await api.sites.list()).data, userId);
}

export const toOwnSites = (sites: readonly Site[], userId: number): OwnSite[] =>
  sites
    .filter((site) => site.user_id === userId)
    .map(({ id, name, is_active: isActive }) => ({ id, name, isActive }));
