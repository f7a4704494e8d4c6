import type * as z from "zod";
import { SECOND } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import type { CleanupResult } from "../contract";
import { type ConnectionWithSites, toLinkedSitesOutput } from "./find";
import { type CallOutcome, createProviderCaller } from "./provider";
import { getProvider, toProviderTarget } from "./provider-registry";

type Plan = NonNullable<z.output<typeof CleanupResult>["plan"]>;

const CALL_TIMEOUT_MS = 3 * SECOND;

const HOOK_BY_OUTCOME: Record<CallOutcome, Plan["hook"]> = {
  ok: "ours",
  not_ours: "foreign",
  gone: "none",
  dead: "unknown",
  retry: "unknown",
  forbidden: "unknown",
};

/** Describes the clean-up of a connection; `removedIds` are removed in the same request. */
export async function planCleanup(connection: ConnectionWithSites, removedIds: number[]): Promise<Plan> {
  const { channel, accountKey, id } = connection;
  const provider = getProvider(channel);
  const siblings = accountKey
    ? await withoutTransaction().db.connection.findMany({
        where: { channel, accountKey, id: { notIn: [...removedIds, id] } },
        orderBy: { id: "asc" },
        select: { id: true, label: true },
      })
    : [];
  const sites = toLinkedSitesOutput(connection);
  if (!provider) return { steps: [], hook: "none", shared: false, siblings, sites };
  const target = toProviderTarget(connection);
  const hook =
    HOOK_BY_OUTCOME[
      await provider.checkWebhookOwner(
        target,
        createProviderCaller(async () => {}, CALL_TIMEOUT_MS),
      )
    ];
  const { clearCalls, accountWideCalls } = provider.listCleanUpCalls(target);
  const isLastOfAccount = accountWideCalls.length > 0 && siblings.length === 0;
  const steps = [
    ...(hook === "ours" || hook === "unknown" ? clearCalls : []),
    ...(isLastOfAccount ? accountWideCalls : []),
  ];
  return { steps, hook, shared: isLastOfAccount, siblings, sites };
}
