import { Socket } from "node:net";
import { vi } from "vitest";
import { env } from "@/server/core/env";

export async function countDatabaseWrites(work: () => Promise<unknown>): Promise<number> {
  const port = Number(new URL(env().DATABASE_URL!).port);
  const spies = [vi.spyOn(Socket.prototype, "_write"), vi.spyOn(Socket.prototype, "_writev")];
  try {
    await work();
    const sockets = spies.flatMap(({ mock }) => mock.contexts as Socket[]);
    return sockets.filter(({ remotePort }) => remotePort === port).length;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
