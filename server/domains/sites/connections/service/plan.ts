import type * as z from "zod";
import { SECOND } from "@/server/core/time";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import type { CleanupResult } from "../contract";
import { type ConnectionWithSites, linkedSites } from "./find";
import { createCall, type Outcome } from "./provider";
import { providerOf, targetOf } from "./providers";

type Plan = NonNullable<z.output<typeof CleanupResult>["plan"]>;

const CALL_TIMEOUT = 3 * SECOND;

const HOOK: Record<Outcome, Plan["hook"]> = {
  ok: "ours",
  not_ours: "foreign",
  gone: "none",
  dead: "unknown",
  retry: "unknown",
  forbidden: "unknown",
};

/** Returns the effect of cleaning up a connection together with those in `removedIds`. */
export async function planOf(connection: ConnectionWithSites, removedIds: number[]): Promise<Plan> {
  const { channel, accountKey, id } = connection;
  const provider = providerOf(channel);
  const siblings = accountKey
    ? await withoutTransaction().db.connection.findMany({
        where: { channel, accountKey, id: { notIn: [...removedIds, id] } },
        orderBy: { id: "asc" },
        select: { id: true, label: true },
      })
    : [];
  const sites = linkedSites(connection);
  if (!provider) return { steps: [], hook: "none", shared: false, siblings, sites };
  const target = targetOf(connection);
  const hook =
    HOOK[
      await provider.compare(
        target,
        createCall(async () => {}, CALL_TIMEOUT),
      )
    ];
  const { clear, shared } = provider.plan(target);
  const isLast = shared.length > 0 && siblings.length === 0;
  const steps = [...(hook === "ours" || hook === "unknown" ? clear : []), ...(isLast ? shared : [])];
  return { steps, hook, shared: isLast, siblings, sites };
}
