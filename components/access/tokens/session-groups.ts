import type { Session } from "./types";

export type DeviceSessions = [Session, ...Session[]];

/** Groups sessions by device name and kind; the current one stays alone. */
export function groupSessions(
  sessions: readonly Session[],
  getDeviceName: (session: Session) => string,
): DeviceSessions[] {
  const groups = new Map<string, DeviceSessions>();
  for (const session of sessions.toSorted((a, b) => getLastUsedAt(b).localeCompare(getLastUsedAt(a)))) {
    const groupKey = session.current ? "current" : `${session.kind} ${getDeviceName(session)}`;
    const group = groups.get(groupKey);
    if (group) group.push(session);
    else groups.set(groupKey, [session]);
  }
  return [...groups.values()].toSorted(([a], [b]) => Number(b.current) - Number(a.current));
}

export const getLastUsedAt = ({ last_used_at, created_at }: Session): string => last_used_at ?? created_at;
