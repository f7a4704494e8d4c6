import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { SandboxStore } from "@/server/sandbox/kit";

/** What a party's sandbox remembers in demo mode: in the database, so that processes and restarts agree. */
export function storedSandbox(party: string): SandboxStore {
  const at = (key: string) => ({ party_key: { party, key } });
  return {
    get: async (key) =>
      (await prisma().sandboxRecord.findUnique({ where: at(key), select: { value: true } }))?.value,
    set: async (key, value) => {
      const record = { value: value as Prisma.InputJsonValue };
      await prisma().sandboxRecord.upsert({
        where: at(key),
        create: { party, key, ...record },
        update: record,
        select: { key: true },
      });
    },
    delete: async (key) => void (await prisma().sandboxRecord.deleteMany({ where: { party, key } })),
  };
}
