import { DAY, fromNow, HOUR } from "@/server/core/time";
import { prisma } from "@/server/infrastructure/database/client";

const HISTORY_DAYS = 89;
const CHECK_INTERVAL_MS = 6 * HOUR;

/** Seeds the history of checks of an account's connections: mostly good, with an outage of one provider. */
export async function seedConnectionChecks(userId: number): Promise<void> {
  await prisma().connection.updateMany({ where: { userId }, data: { createdAt: fromNow(-160 * DAY) } });
  const connections = await prisma().connection.findMany({
    where: { userId },
    orderBy: { id: "asc" },
    select: { id: true, channel: true, isActive: true, deadSeenAt: true },
  });
  await prisma().connectionCheck.createMany({
    data: connections.flatMap(({ id, channel, isActive, deadSeenAt }) => {
      const interval = isActive ? CHECK_INTERVAL_MS : DAY;
      const count = Math.floor((HISTORY_DAYS * DAY) / interval);
      return Array.from({ length: count }, (_, index) => {
        const at = fromNow(-index * interval - ((id * 37 + index * 11) % 60) * 60_000);
        const daysAgo = Math.floor((Date.now() - at.getTime()) / DAY);
        const hasOutage = channel === "whatsapp" && (daysAgo === 12 || daysAgo === 13);
        const isUnreachable = hasOutage || (id * 5 + index * 3) % 61 === 0;
        const isDead = deadSeenAt !== null && at >= deadSeenAt;
        return { connectionId: id, at, outcome: isDead ? "dead" : isUnreachable ? "unreachable" : "ok" };
      });
    }),
  });
}
