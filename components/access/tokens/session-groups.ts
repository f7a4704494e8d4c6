import type { Session } from "./types";

/** Sessions that look the same to their owner, the latest used first. */
export type Group = [Session, ...Session[]];

/** The present session by itself, then the others: those of one kind of device and of sign-in are one group. */
export function groupsOf(sessions: readonly Session[], nameOf: (session: Session) => string): Group[] {
  const groups = new Map<string, Group>();
  for (const session of sessions.toSorted((a, b) => lastUse(b).localeCompare(lastUse(a)))) {
    const key = session.current ? "current" : `${session.kind} ${nameOf(session)}`;
    const group = groups.get(key);
    if (group) group.push(session);
    else groups.set(key, [session]);
  }
  return [...groups.values()].toSorted(([a], [b]) => Number(b.current) - Number(a.current));
}

/** When it was last used, else when it began. */
export const lastUse = ({ last_used_at, created_at }: Session): string => last_used_at ?? created_at;
