import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { type ConnectionLineage, IDLE_REASONS } from "../policy";

export const CONNECTION_SELECT = {
  id: true,
  userId: true,
  channel: true,
  label: true,
  remoteKey: true,
  accountKey: true,
  config: true,
  secretSealed: true,
  isActive: true,
  cleanup: true,
  sharedDue: true,
  owner: { select: { parentUserId: true, resellerId: true, parent: { select: { resellerId: true } } } },
  sites: {
    where: { site: { deletedAt: null } },
    orderBy: { siteId: "asc" },
    select: { site: { select: { id: true, name: true, domain: true, isActive: true } } },
  },
} as const satisfies Prisma.ConnectionSelect;

export type ConnectionWithSites = Prisma.ConnectionGetPayload<{ select: typeof CONNECTION_SELECT }>;

export function getConnectionLineage({
  userId,
  owner,
}: Pick<ConnectionWithSites, "userId" | "owner">): ConnectionLineage {
  return {
    userId,
    ownerParentId: owner.parentUserId,
    ownerResellerId: owner.resellerId,
    parentResellerId: owner.parent?.resellerId ?? null,
  };
}

export function getIdleReasons({ isActive, sites }: Pick<ConnectionWithSites, "isActive" | "sites">) {
  const appliesByReason = {
    no_site: sites.length === 0,
    sites_inactive: sites.length > 0 && sites.every(({ site }) => !site.isActive),
    deactivated: !isActive,
  };
  return IDLE_REASONS.filter((reason) => appliesByReason[reason]);
}

export const getLinkedSiteIds = ({ sites }: Pick<ConnectionWithSites, "sites">) =>
  sites.map(({ site }) => site.id);

export const toLinkedSitesOutput = ({ sites }: Pick<ConnectionWithSites, "sites">) =>
  sites.map(({ site: { isActive, ...site } }) => ({ ...site, is_active: isActive }));

export async function findConnectionsById(
  { db }: Pick<DbAccess, "db">,
  ids: number[],
): Promise<Map<number, ConnectionWithSites>> {
  const rows = await db.connection.findMany({ where: { id: { in: ids } }, select: CONNECTION_SELECT });
  return new Map(rows.map((row) => [row.id, row]));
}
