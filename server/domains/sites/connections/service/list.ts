import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { escapeLike } from "@/server/core/fold";
import { parsePage, parseSort } from "@/server/core/list";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { countDeadConnections, listConnections } from "../contract";
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

export async function countDeadTokens({
  db,
  actor,
}: Context<UserActor>): Promise<Output<typeof countDeadConnections>> {
  const count = await db.connection.count({ where: { userId: actor.id, tokenDeadAt: { not: null } } });
  return { success: true, count };
}
