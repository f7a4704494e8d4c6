import { prisma } from "@/server/infrastructure/database/client";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { FailureKind } from "@/server/sandbox/failures";
import type { ReceivedCall, SandboxHost } from "@/server/sandbox/run-sandbox";
import type { SandboxStore } from "@/server/sandbox/sandbox";
import type { SandboxName } from "@/server/sandbox/services";

export function createSandboxStore(party: string): SandboxStore {
  const whereKey = (key: string) => ({ party_key: { party, key } });
  return {
    get: async (key) =>
      (await prisma().sandboxRecord.findUnique({ where: whereKey(key), select: { value: true } }))?.value,
    set: async (key, value) => {
      const record = { value: value as Prisma.InputJsonValue };
      await prisma().sandboxRecord.upsert({
        where: whereKey(key),
        create: { party, key, ...record },
        update: record,
        select: { key: true },
      });
    },
    delete: async (key) => void (await prisma().sandboxRecord.deleteMany({ where: { party, key } })),
  };
}

const MAX_STORED_CALLS = 1000;

/** Sandboxes of demo mode, with failures scripted on its page. Instagram shares Meta's state. */
export const sandboxHost: SandboxHost = {
  getStore: (party) => createSandboxStore(party === "instagram" ? "meta" : party),
  takeFailure: takeScriptedFailure,
  reportCall: recordCall,
};

async function takeScriptedFailure(party: SandboxName, call: string): Promise<FailureKind | undefined> {
  const scriptedFailures = await prisma().sandboxFailure.findMany({
    where: { party, remaining: { gt: 0 } },
    orderBy: { id: "asc" },
    select: { id: true, match: true, failure: true },
  });
  for (const { id, failure } of scriptedFailures.filter(({ match }) =>
    redactBotToken(call).includes(match),
  )) {
    const { count } = await prisma().sandboxFailure.updateMany({
      where: { id, remaining: { gt: 0 } },
      data: { remaining: { decrement: 1 } },
    });
    if (count > 0) return failure as FailureKind;
  }
  return undefined;
}

async function recordCall({ party, call, status, failure }: ReceivedCall): Promise<void> {
  const { id } = await prisma().sandboxCall.create({
    data: { party, call: redactBotToken(call).slice(0, 300), status, failure },
    select: { id: true },
  });
  await prisma().sandboxCall.deleteMany({ where: { id: { lte: id - MAX_STORED_CALLS } } });
}

/** URLs of Telegram bots contain their token. */
const redactBotToken = (call: string) => call.replace(/ \/bot[^/]+/, " /bot{token}");
