import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createInaccessibleError } from "@/server/core/errors";
import { escapeLike } from "@/server/core/fold";
import { parsePage, parseSort } from "@/server/core/list";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import {
  type countDeadConnections,
  DEAD_CONNECTIONS_MAX,
  type getConnection,
  type listConnections,
} from "../contract";
import { CONNECTION_ROW_SELECT, toConnectionOutput, whereInScope, whereInState } from "./rows";

export async function listConnectionPage(
  { db, actor }: Context<UserActor>,
  { query }: Input<typeof listConnections>,
): Promise<Output<typeof listConnections>> {
  const words = (query.q ?? "").split(/\s+/).filter(Boolean);
  const where: Prisma.ConnectionWhereInput = {
    AND: [
      whereInScope(actor.scope),
      whereInState(query.state),
      ...words.map((word) => ({
        label: { contains: escapeLike(word), mode: "insensitive" as const },
      })),
    ],
    ...(query.channel && { channel: query.channel }),
    ...(query.site && { sites: { some: { siteId: query.site } } }),
  };
  const { by, direction } = parseSort(query.sort ?? "-created_at");
  const { range, ...page } = parsePage(query);
  const [total, connections] = await Promise.all([
    db.connection.count({ where }),
    db.connection.findMany({
      where,
      ...range,
      orderBy: [...(by === "label" ? [{ label: direction }] : []), { id: direction }],
      select: CONNECTION_ROW_SELECT,
    }),
  ]);
  const data = connections.map((row) => toConnectionOutput(row, actor.scope));
  return { success: true, connections: data, data, count: data.length, meta: { ...page, total } };
}

export async function getVisibleConnection(
  { db, actor: { scope } }: Context<UserActor>,
  { params: { id } }: Input<typeof getConnection>,
): Promise<Output<typeof getConnection>> {
  const row = await db.connection.findFirst({
    where: { id, ...whereInScope(scope) },
    select: CONNECTION_ROW_SELECT,
  });
  if (!row) throw await findInaccessibleConnectionError({ db }, id);
  const connection = toConnectionOutput(row, scope);
  return { success: true, connection, data: connection };
}

export async function requireVisibleConnection({ db, actor }: Context<UserActor>, id: number): Promise<void> {
  const where = { id, ...whereInScope(actor.scope) };
  const row = await db.connection.findFirst({ where, select: { id: true } });
  if (!row) throw await findInaccessibleConnectionError({ db }, id);
}

async function findInaccessibleConnectionError({ db }: Pick<DbAccess, "db">, id: number) {
  const hiddenRow = await db.connection.findUnique({ where: { id }, select: { id: true } });
  return createInaccessibleError(hiddenRow, "Connection", id);
}

export async function countDeadTokens({
  db,
  actor: { id, scope },
}: Context<UserActor>): Promise<Output<typeof countDeadConnections>> {
  const where: Prisma.ConnectionWhereInput = {
    ...(scope.onlySiteId === null ? { userId: id } : whereInScope(scope)),
    tokenDeadAt: { not: null },
  };
  const [count, rows] = await Promise.all([
    db.connection.count({ where }),
    db.connection.findMany({
      where,
      orderBy: [{ tokenDeadAt: "desc" }, { id: "desc" }],
      take: DEAD_CONNECTIONS_MAX,
      select: {
        ...{ id: true, channel: true, label: true, tokenDeadAt: true },
        owner: { select: { id: true, name: true, email: true } },
      },
    }),
  ]);
  const connections = rows.map(({ owner, tokenDeadAt, ...row }) => ({
    ...row,
    dead_since: toIsoMicros(tokenDeadAt!),
    contact: owner.id === id ? null : { name: owner.name, email: owner.email },
  }));
  return { success: true, count, connections };
}
