import type * as z from "zod";
import type { Scope } from "@/server/core/context";
import { isoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { checkConnection } from "../contract";
import { mayManageConnection } from "../policy";
import { CONNECTION, lineageOf, linkedSites, reasonsOf } from "./find";

export const ROW = {
  ...CONNECTION,
  connectionType: true,
  health: true,
  tokenDeadAt: true,
  secretLastFour: true,
  lastOkAt: true,
  checkedAt: true,
  createdAt: true,
  owner: { select: { ...CONNECTION.owner.select, id: true, name: true } },
} as const satisfies Prisma.ConnectionSelect;
export type RowOf = Prisma.ConnectionGetPayload<{ select: typeof ROW }>;

type Described = z.output<typeof checkConnection.output>["connection"];

/** Returns the documented object. Agents see only their own site in it. */
export function connectionRow(row: RowOf, scope: Scope): Described {
  const sites = linkedSites(row);
  return {
    id: row.id,
    channel: row.channel,
    connection_type: row.connectionType,
    label: row.label,
    is_active: row.isActive,
    health: row.health,
    token_dead: row.tokenDeadAt !== null,
    reasons: reasonsOf(row),
    cleanup: row.cleanup,
    linked_sites: scope.onlySite === null ? sites : sites.filter(({ id }) => id === scope.onlySite),
    owner: { id: row.owner.id, name: row.owner.name },
    can_manage: mayManageConnection(scope, lineageOf(row)),
    secret_last_four: row.secretLastFour,
    last_ok_at: isoMicros(row.lastOkAt),
    checked_at: isoMicros(row.checkedAt),
    created_at: isoMicros(row.createdAt),
  };
}

export function inScope({ userId, role, onlySite }: Scope): Prisma.ConnectionWhereInput {
  if (onlySite !== null) return { sites: { some: { siteId: onlySite } } };
  if (role === "admin") return {};
  const resellerScopes =
    role === "reseller" ? [{ resellerId: userId }, { parent: { resellerId: userId } }] : [];
  return { owner: { OR: [{ id: userId }, { parentUserId: userId }, ...resellerScopes] } };
}

const inUse = { isActive: true, sites: { some: { site: { deletedAt: null, isActive: true } } } };

export function inState(state: "active" | "idle" | "dead" | null | undefined): Prisma.ConnectionWhereInput {
  if (state === "active") return inUse;
  if (state === "idle") return { NOT: inUse };
  return state === "dead" ? { tokenDeadAt: { not: null } } : {};
}
