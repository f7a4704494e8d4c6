import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import type { Prisma, SandboxFailure } from "@/server/infrastructure/database/generated/client";
import type { FailureKind } from "@/server/sandbox/failures";
import type { SandboxName } from "@/server/sandbox/services";
import type { clearSandboxScript, listSandboxCalls, scriptSandbox } from "../contract";

const LISTED_ROWS_MAX = 200;

const FAILURE_SELECT = {
  id: true,
  party: true,
  failure: true,
  match: true,
  remaining: true,
} as const satisfies Prisma.SandboxFailureSelect;

function toFailureOutput({ party, failure, ...fields }: SandboxFailure) {
  return { ...fields, party: party as SandboxName, failure: failure as FailureKind };
}

export async function listCallsAndFailures(
  { db }: Context,
  { query: { party } }: Input<typeof listSandboxCalls>,
): Promise<Output<typeof listSandboxCalls>> {
  const where = party ? { party } : {};
  const calls = await db.sandboxCall.findMany({
    where,
    orderBy: { id: "desc" },
    take: LISTED_ROWS_MAX,
    select: { id: true, party: true, call: true, status: true, failure: true, at: true },
  });
  const failures = await db.sandboxFailure.findMany({
    where: { ...where, remaining: { gt: 0 } },
    orderBy: { id: "asc" },
    take: LISTED_ROWS_MAX,
    select: FAILURE_SELECT,
  });
  return {
    calls: calls.map(({ at, ...call }) => ({
      ...call,
      party: call.party as SandboxName,
      failure: call.failure as FailureKind | null,
      at: toIsoMicros(at),
    })),
    failures: failures.map(toFailureOutput),
  };
}

export async function scriptFailure(
  { db }: Context,
  { body: { party, failure, match, times } }: Input<typeof scriptSandbox>,
): Promise<Output<typeof scriptSandbox>> {
  const row = await db.sandboxFailure.create({
    data: { party, failure, match: match ?? "", remaining: times ?? 1 },
    select: FAILURE_SELECT,
  });
  return { success: true, failure: toFailureOutput(row) };
}

export async function clearScriptedFailures({ db }: Context): Promise<Output<typeof clearSandboxScript>> {
  await db.sandboxFailure.deleteMany();
  return { success: true };
}
