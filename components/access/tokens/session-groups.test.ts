import { expect, it } from "vitest";
import { groupSessions } from "./session-groups";
import type { Session } from "./types";

const makeSession = (id: number, changes: Partial<Session> = {}): Session => ({
  id,
  kind: "panel",
  current: false,
  ip: "192.0.2.1",
  user_agent: "Chrome on Linux",
  expires_at: "2027-01-01T00:00:00.000000Z",
  created_at: `2026-01-0${id}T00:00:00.000000Z`,
  last_used_at: null,
  ...changes,
});

it("groups sessions by device and kind, keeps the current one first and alone, and sorts by last use", () => {
  const sessions = [
    makeSession(1, { current: true }),
    makeSession(2),
    makeSession(3, { kind: "token" }),
    makeSession(4, { user_agent: "Safari on iOS" }),
    makeSession(5, { last_used_at: "2026-01-01T12:00:00.000000Z" }),
  ];
  const ids = groupSessions(sessions, ({ user_agent }) => user_agent!).map((group) =>
    group.map(({ id }) => id),
  );
  expect(ids).toEqual([[1], [4], [3], [2, 5]]);
});
