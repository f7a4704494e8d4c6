import type * as z from "zod";
import type { Scope } from "@/server/core/context";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { checkConnection } from "../contract";
import { canManageConnection } from "../policy";
import { CONNECTION_SELECT, getConnectionLineage, getIdleReasons, toLinkedSitesOutput } from "./find";

export const CONNECTION_ROW_SELECT = {
  ...CONNECTION_SELECT,
  connectionType: true,
  health: true,
  tokenDeadAt: true,
  secretLastFour: true,
  lastOkAt: true,
  checkedAt: true,
  createdAt: true,
  owner: { select: { ...CONNECTION_SELECT.owner.select, id: true, name: true } },
} as const satisfies Prisma.ConnectionSelect;
export type ConnectionRow = Prisma.ConnectionGetPayload<{ select: typeof CONNECTION_ROW_SELECT }>;

type ConnectionOutput = z.output<typeof checkConnection.output>["connection"];

/** Connections of earlier versions have no address in `config`; most of them keep it as their label. */
function getPublicAddress({ channel, remoteKey, config, label }: ConnectionRow): string | null {
  const { address, user } = config as { address?: string; user?: string };
  if (channel === "email") return user ?? null;
  if (channel === "messenger") return remoteKey;
  if (channel === "web_chat" || channel === "whatsapp_qr") return null;
  if (address) return address;
  const isName = channel === "telegram" || channel === "instagram";
  return (isName ? /^@[\w.]+$/ : /^\+[\d ]+$/).test(label) ? label : null;
}

/** Returns the API's object. For agents, `linked_sites` has only their own site. */
export function toConnectionOutput(row: ConnectionRow, scope: Scope): ConnectionOutput {
  const sites = toLinkedSitesOutput(row);
  return {
    id: row.id,
    channel: row.channel,
    connection_type: row.connectionType,
    label: row.label,
    address: getPublicAddress(row),
    is_active: row.isActive,
    health: row.health,
    token_dead: row.tokenDeadAt !== null,
    reasons: getIdleReasons(row),
    cleanup: row.cleanup,
    linked_sites: scope.onlySiteId === null ? sites : sites.filter(({ id }) => id === scope.onlySiteId),
    owner: { id: row.owner.id, name: row.owner.name },
    can_manage: canManageConnection(scope, getConnectionLineage(row)),
    secret_last_four: row.secretLastFour,
    last_ok_at: toIsoMicros(row.lastOkAt),
    checked_at: toIsoMicros(row.checkedAt),
    created_at: toIsoMicros(row.createdAt),
  };
}

export function whereInScope({ userId, role, onlySiteId }: Scope): Prisma.ConnectionWhereInput {
  if (onlySiteId !== null) return { sites: { some: { siteId: onlySiteId } } };
  if (role === "admin") return {};
  const resellerConditions =
    role === "reseller" ? [{ resellerId: userId }, { parent: { resellerId: userId } }] : [];
  return { owner: { OR: [{ id: userId }, { parentUserId: userId }, ...resellerConditions] } };
}

const whereInUse = { isActive: true, sites: { some: { site: { deletedAt: null, isActive: true } } } };

export function whereInState(
  state: "active" | "idle" | "dead" | null | undefined,
): Prisma.ConnectionWhereInput {
  if (state === "active") return whereInUse;
  if (state === "idle") return { NOT: whereInUse };
  return state === "dead" ? { tokenDeadAt: { not: null } } : {};
}
