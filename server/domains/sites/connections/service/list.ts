import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { escapeLike } from "@/server/core/fold";
import { orderOf, pageOf } from "@/server/core/list";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { countDeadConnections, listConnections } from "../contract";
import { connectionRow, inScope, inState, ROW } from "./rows";

export async function list(
  { db, actor }: Context<UserActor>,
  { query }: Input<typeof listConnections>,
): Promise<Output<typeof listConnections>> {
  const words = (query.q ?? "").split(/\s+/).filter(Boolean);
  const where: Prisma.ConnectionWhereInput = {
    AND: [
      inScope(actor.scope),
      inState(query.state),
      ...words.map((word) => ({
        label: { contains: escapeLike(word), mode: "insensitive" as const },
      })),
    ],
    ...(query.channel && { channel: query.channel }),
    ...(query.site && { sites: { some: { siteId: query.site } } }),
  };
  const { by, direction } = orderOf(query.sort ?? "-created_at");
  const { rows, ...page } = pageOf(query);
  const [total, connections] = await Promise.all([
    db.connection.count({ where }),
    db.connection.findMany({
      where,
      ...rows,
      orderBy: [...(by === "label" ? [{ label: direction }] : []), { id: direction }],
      select: ROW,
    }),
  ]);
  const data = connections.map((row) => connectionRow(row, actor.scope));
  return { success: true, connections: data, data, count: data.length, meta: { ...page, total } };
}

export async function countDead({
  db,
  actor,
}: Context<UserActor>): Promise<Output<typeof countDeadConnections>> {
  const count = await db.connection.count({ where: { userId: actor.id, tokenDeadAt: { not: null } } });
  return { success: true, count };
}
