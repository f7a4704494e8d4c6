import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "@/server/core/time";
import {
  type CallOutcome,
  type CallStep,
  isOurWebhook,
  type Provider,
  type ProviderCaller,
  type ProviderTarget,
  type ResponseClassifier,
  type TestMessageSender,
} from "./service/provider";

const GONE_CHECKS_MAX = 5;
const FINAL_OUTCOMES = new Set<CallOutcome>(["gone", "dead", "forbidden"]);

const classifyResponse: ResponseClassifier = (status, body) => {
  const { message } = (body.response ?? {}) as { message?: unknown };
  const code = status < 300 ? null : [message].flat().join(" ").slice(0, 80) || null;
  if (status < 300) return { outcome: "ok" };
  // Evolution reports a missing instance before it checks the key.
  if (status === 404) return { outcome: /instance does not exist/.test(code ?? "") ? "gone" : "retry", code };
  if (status === 401) return { outcome: "dead", code };
  if (status === 403) return { outcome: "forbidden", code };
  return { outcome: "retry", code };
};

type HttpMethod = "GET" | "POST" | "DELETE";

/** Calls the server. The URL has no query, because Evolution lets a parameter override the instance. */
function requestInstance(
  target: ProviderTarget,
  callProvider: ProviderCaller,
  step: CallStep,
  method: HttpMethod,
  path: string,
  fields?: object,
) {
  return callProvider(
    {
      step,
      method,
      url: `${target.config.base_url}/${path}/${encodeURIComponent(target.config.instance!)}`,
      headers: { apikey: target.secret, ...(fields && { "content-type": "application/json" }) },
      ...(fields && { body: JSON.stringify(fields) }),
    },
    classifyResponse,
  );
}

const buildWebhookSettings = (url: string) => ({
  webhook: { enabled: true, url, byEvents: false, base64: false, events: [] },
});

export function requestInstanceCreation(
  target: ProviderTarget,
  webhookUrl: string,
  callProvider: ProviderCaller,
) {
  const fields = {
    instanceName: target.config.instance,
    integration: "WHATSAPP-BAILEYS",
    qrcode: true,
    ...buildWebhookSettings(webhookUrl),
  };
  return callProvider(
    {
      step: "set",
      method: "POST",
      url: `${target.config.base_url}/instance/create`,
      headers: { apikey: target.secret, "content-type": "application/json" },
      body: JSON.stringify(fields),
    },
    classifyResponse,
  );
}

export const evolution: Provider & TestMessageSender = {
  checkCredentials: (target, callProvider) =>
    requestInstance(target, callProvider, "check", "GET", "instance/connectionState"),
  async setWebhook(target, webhookUrl, callProvider) {
    return (
      await requestInstance(
        target,
        callProvider,
        "set",
        "POST",
        "webhook/set",
        buildWebhookSettings(webhookUrl),
      )
    ).outcome;
  },
  async checkWebhookOwner(target, callProvider) {
    const { outcome } = await requestInstance(
      target,
      callProvider,
      "compare",
      "GET",
      "instance/connectionState",
    );
    if (outcome !== "ok") return outcome;
    const reply = await requestInstance(target, callProvider, "compare", "GET", "webhook/find");
    if (reply.outcome !== "ok") return reply.outcome;
    return !reply.body.url || isOurWebhook(reply.body.url, target) ? "ok" : "not_ours";
  },
  async clearWebhook(target, callProvider) {
    // Ignore other failures of the logout: deletion closes an open session, too.
    const logoutReply = await requestInstance(target, callProvider, "clear", "DELETE", "instance/logout");
    if (logoutReply.outcome === "gone" || logoutReply.outcome === "dead") return logoutReply.outcome;
    let lastOutcome: CallOutcome = "retry";
    for (let attempt = 0; attempt < 2; attempt++) {
      const deleteReply = await requestInstance(target, callProvider, "clear", "DELETE", "instance/delete");
      if (FINAL_OUTCOMES.has(deleteReply.outcome)) return deleteReply.outcome;
      lastOutcome = await waitUntilGone(target, callProvider);
      if (lastOutcome === "gone") return "ok";
    }
    return lastOutcome === "ok" ? "retry" : lastOutcome;
  },
  listCleanUpCalls: (target) => {
    const { host, pathname } = new URL(target.config.base_url!);
    const path = `${host}${pathname === "/" ? "" : pathname}`;
    return {
      clearCalls: ["logout", "delete"].map(
        (verb) => `DELETE ${path}/instance/${verb}/${target.config.instance}`,
      ),
      accountWideCalls: [],
    };
  },
  async sendTestMessage(target, { to, text }, callProvider) {
    const stateReply = await requestInstance(
      target,
      callProvider,
      "check",
      "GET",
      "instance/connectionState",
    );
    if (stateReply.outcome !== "ok") return stateReply;
    const { state } = (stateReply.body.instance ?? {}) as { state?: unknown };
    if (state !== "open") return { outcome: "forbidden", refusal: "not_ready" };
    const fields = { number: to.replace("+", ""), text };
    const { outcome, body } = await requestInstance(
      target,
      callProvider,
      "test",
      "POST",
      "message/sendText",
      fields,
    );
    return { outcome, refusal: outcome !== "ok" && isUnknownNumber(body) ? "number_unreachable" : undefined };
  },
};

/** Evolution lists the number with `exists: false` if WhatsApp does not know it. */
function isUnknownNumber({ response }: Record<string, unknown>): boolean {
  const { message } = (response ?? {}) as { message?: unknown };
  return [message].flat().some((entry) => (entry as { exists?: unknown } | null)?.exists === false);
}

/** Polls until the instance is gone, because a successful response to the deletion is no proof. */
async function waitUntilGone(target: ProviderTarget, callProvider: ProviderCaller): Promise<CallOutcome> {
  let lastOutcome: CallOutcome = "retry";
  for (let attempt = 0; attempt < GONE_CHECKS_MAX; attempt++) {
    if (attempt > 0) await sleep(SECOND);
    lastOutcome = (await requestInstance(target, callProvider, "verify", "GET", "instance/connectionState"))
      .outcome;
    // The instance's key is deleted with the instance, so 401 (`dead`) means gone.
    if (lastOutcome !== "ok" && lastOutcome !== "retry") return lastOutcome === "dead" ? "gone" : lastOutcome;
  }
  return lastOutcome;
}
