import { createHmac } from "node:crypto";
import { env } from "@/server/core/env";
import { deriveKey } from "@/server/infrastructure/secrets/derive";
import {
  type CallStep,
  isOurWebhook,
  type Provider,
  type ProviderCaller,
  type ProviderTarget,
  type ResponseClassifier,
} from "./service/provider";

const BOT_API_METHODS = { compare: "getWebhookInfo", clear: "deleteWebhook" } as const;

/**
 * The Bot API reports errors by HTTP status and has no codes: `code` is its description.
 * Its URLs contain the token: never log or store them.
 */
const classifyResponse: ResponseClassifier = (status, { ok, description }) => {
  const code = typeof description === "string" && status !== 200 ? description.slice(0, 80) : null;
  if (status === 200) return { outcome: ok === true ? "ok" : "retry", code };
  if (status === 401 || status === 404) return { outcome: "dead", code };
  if (status === 429 || status >= 500) return { outcome: "retry", code };
  return { outcome: "forbidden", code };
};

const formatDisplayUrl = (method: string) => `${new URL(env().TELEGRAM_API_URL).host}/bot{token}/${method}`;

function requestBotApi(
  target: ProviderTarget,
  callProvider: ProviderCaller,
  step: CallStep,
  method: string,
  fields: object = {},
) {
  return callProvider(
    {
      step,
      method: "POST",
      url: `${env().TELEGRAM_API_URL}/bot${encodeURIComponent(target.secret).replace("%3A", ":")}/${method}`,
      displayUrl: formatDisplayUrl(method),
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fields),
    },
    classifyResponse,
  );
}

/** Never change `telegram_hook`: the secrets of all registered webhooks are derived from it. */
export function deriveTelegramWebhookSecret(webhookUrl: string): string {
  return createHmac("sha256", deriveKey("telegram_hook")).update(webhookUrl).digest("base64url");
}

export const telegram: Provider = {
  checkCredentials: (target, callProvider) => requestBotApi(target, callProvider, "check", "getMe"),
  async setWebhook(target, webhookUrl, callProvider) {
    const fields = {
      url: webhookUrl,
      secret_token: deriveTelegramWebhookSecret(webhookUrl),
      allowed_updates: ["message"],
    };
    return (await requestBotApi(target, callProvider, "set", "setWebhook", fields)).outcome;
  },
  async checkWebhookOwner(target, callProvider) {
    const { outcome, body } = await requestBotApi(target, callProvider, "compare", BOT_API_METHODS.compare);
    if (outcome !== "ok") return outcome;
    const { url } = (body.result ?? {}) as { url?: unknown };
    if (url === "") return "gone";
    return isOurWebhook(url, target) ? "ok" : "not_ours";
  },
  async clearWebhook(target, callProvider) {
    return (
      await requestBotApi(target, callProvider, "clear", BOT_API_METHODS.clear, {
        drop_pending_updates: true,
      })
    ).outcome;
  },
  listCleanUpCalls: () => ({
    clearCalls: [`POST ${formatDisplayUrl(BOT_API_METHODS.clear)}`],
    accountWideCalls: [],
  }),
};
