import { createSystemContext } from "@/server/core/context";
import { notifyOwner } from "@/server/domains/accounts/users/service/notify";
import { inTransaction } from "@/server/infrastructure/database/transaction";

const WEBHOOKS_PATH = "/developers/webhooks";

/** `failures`: it has failed for a day. `gone`, `failing`: it was switched off (DISABLED_REASONS). */
export async function notifyEndpointOwner(
  endpointId: number,
  cause: "failures" | "gone" | "failing",
): Promise<void> {
  await inTransaction(async (tx) => {
    const endpoint = await tx.db.webhookEndpoint.findUnique({
      where: { id: endpointId },
      select: { userId: true, url: true },
    });
    if (!endpoint) return;
    const { host } = new URL(endpoint.url);
    const ctx = createSystemContext(tx);
    if (cause === "failures")
      await notifyOwner(ctx, endpoint.userId, "webhook_failing", { path: WEBHOOKS_PATH, params: { host } });
    else
      await notifyOwner(ctx, endpoint.userId, "webhook_disabled", {
        path: WEBHOOKS_PATH,
        params: { host, reason: cause },
      });
  });
}
