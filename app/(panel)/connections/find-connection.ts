import "server-only";
import { notFound } from "next/navigation";
import { cache } from "react";
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

export async function listOwnSites(userId: number) {
  const { api } = await getPanelCaller();
  const { data: sites } = await api.sites.list();
  return sites
    .filter((site) => site.user_id === userId)
    .map(({ id, name, is_active: isActive }) => ({ id, name, isActive }));
}
