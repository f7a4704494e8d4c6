import { randomBytes } from "node:crypto";
import type * as z from "zod";
import type { Context } from "@/server/core/context";
import { AppError } from "@/server/core/errors";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { RefusalReason } from "../errors";
import {
  type CallOutcome,
  createProviderCaller,
  getWebhookBaseUrl,
  type ProviderReply,
  type ProviderTarget,
} from "./provider";

/** Creates a webhook URL with a secret part, and the hash of that part to store. */
export function createWebhookUrl(channel: ProviderTarget["channel"]): {
  url: string;
  hookHash: Uint8Array<ArrayBuffer>;
} {
  const secret = randomBytes(32).toString("base64url");
  return { url: `${getWebhookBaseUrl(channel)}${secret}`, hookHash: Uint8Array.from(hashSecret(secret)) };
}

const REFUSAL_REASON_BY_OUTCOME: Record<
  Exclude<CallOutcome, "ok" | "not_ours">,
  z.output<typeof RefusalReason>
> = {
  dead: "token_refused",
  gone: "not_found",
  forbidden: "forbidden",
  retry: "unreachable",
};

export function requireAcceptedByProvider(outcome: CallOutcome, reason?: ProviderReply["reason"]): void {
  // `not_ours` is no refusal: the provider accepts the token, but has another webhook.
  if (outcome === "ok" || outcome === "not_ours") return;
  throw new AppError(
    "connection_refused",
    { reason: reason ?? REFUSAL_REASON_BY_OUTCOME[outcome] },
    { countsAgainstLimit: true },
  );
}

/** Audits a refusal. Call it in the transaction that deletes the connection or switches it off. */
export function auditRefusal(
  tx: Context,
  { id, channel, outcome }: { id: number; channel: ProviderTarget["channel"]; outcome: CallOutcome },
): Promise<void> {
  return audit(tx, {
    action: "connection.refused",
    object: { type: "Connection", id },
    details: { channel, outcome },
  });
}

/** Creates a caller that stores nothing. Only the calls of a clean-up are stored. */
export const createUnloggedProviderCaller = () => createProviderCaller(async () => {});
