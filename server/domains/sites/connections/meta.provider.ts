import { env } from "@/server/core/env";
import type { TestMessageRefusal } from "./errors";
import {
  type CallOutcome,
  type CallStep,
  isOurWebhook,
  type Provider,
  type ProviderCaller,
  type ProviderTarget,
  type ResponseClassifier,
  type TestMessageSender,
  withRefusal,
} from "./service/provider";

/** Outcomes by Graph API error code; others are retried. HTTP statuses and subcodes are not stable. */
const OUTCOME_BY_CODE: Record<number, CallOutcome> = {
  0: "dead",
  190: "dead",
  3: "forbidden",
  10: "forbidden",
  33: "gone",
  368: "forbidden",
};

const classifyResponse: ResponseClassifier = (status, { error }) => {
  if (!error) return { outcome: status < 300 ? "ok" : "retry" };
  const { code = -1, error_subcode: subcode } = error as { code?: number; error_subcode?: number };
  const fullCode = subcode === undefined ? `${code}` : `${code}/${subcode}`;
  if (code === 100) return { outcome: subcode === 33 ? "gone" : "forbidden", code: fullCode };
  if (code >= 200 && code <= 299) return { outcome: "forbidden", code: fullCode };
  return { outcome: OUTCOME_BY_CODE[code] ?? "retry", code: fullCode };
};

type HttpMethod = "GET" | "POST" | "DELETE";

function requestGraph(
  target: ProviderTarget,
  callProvider: ProviderCaller,
  step: CallStep,
  method: HttpMethod,
  path: string,
  fields?: object,
) {
  const { META_GRAPH_URL, INSTAGRAM_GRAPH_URL, META_GRAPH_VERSION } = env();
  const base = target.channel === "instagram" ? INSTAGRAM_GRAPH_URL : META_GRAPH_URL;
  return callProvider(
    {
      step,
      method,
      url: `${base}/${META_GRAPH_VERSION}/${path}`,
      headers: {
        authorization: `Bearer ${target.secret}`,
        ...(fields && { "content-type": "application/json" }),
      },
      ...(fields && { body: JSON.stringify(fields) }),
    },
    classifyResponse,
  );
}

function formatDisplayCall(method: HttpMethod, path: string, isInstagram = false): string {
  const { META_GRAPH_URL, INSTAGRAM_GRAPH_URL, META_GRAPH_VERSION } = env();
  return `${method} ${new URL(isInstagram ? INSTAGRAM_GRAPH_URL : META_GRAPH_URL).host}/${META_GRAPH_VERSION}/${path}`;
}

async function getSubscriptionState(
  target: ProviderTarget,
  callProvider: ProviderCaller,
  step: CallStep,
  subscribedObjectId: string,
): Promise<CallOutcome> {
  const { outcome, body } = await requestGraph(
    target,
    callProvider,
    step,
    "GET",
    `${subscribedObjectId}/subscribed_apps`,
  );
  if (outcome !== "ok") return outcome;
  const apps = Array.isArray(body.data) ? (body.data as Array<Record<string, unknown>>) : [];
  const appIds = apps.flatMap(({ id: appId, whatsapp_business_api_data: data }) => [
    appId,
    (data as { id?: unknown })?.id,
  ]);
  return appIds.includes(env().META_APP_ID) ? "ok" : "gone";
}

async function readWebhookOverrides(target: ProviderTarget, callProvider: ProviderCaller, step: CallStep) {
  const path = `${target.remoteKey}?fields=webhook_configuration`;
  const { outcome, body } = await requestGraph(target, callProvider, step, "GET", path);
  return { outcome, body: (body.webhook_configuration ?? {}) as Record<string, unknown> };
}

const TEST_REFUSAL_BY_CODE: Partial<Record<string, TestMessageRefusal>> = {
  130472: "number_unreachable",
  131026: "number_unreachable",
  131030: "number_not_allowed",
  131042: "no_credit",
  132001: "no_template",
  132015: "no_template",
  133010: "not_ready",
};

export const whatsapp: Provider & TestMessageSender = {
  async checkCredentials(target, callProvider) {
    const fields = "display_phone_number,verified_name,webhook_configuration";
    const numberReply = await requestGraph(
      target,
      callProvider,
      "check",
      "GET",
      `${target.remoteKey}?fields=${fields}`,
    );
    if (numberReply.outcome !== "ok") return numberReply;
    // Account-wide clean-up relies on `accountKey`, so the number must belong to that business account.
    const accountNumbersReply = await requestGraph(
      target,
      callProvider,
      "check",
      "GET",
      `${target.accountKey}/phone_numbers`,
    );
    const numbers = Array.isArray(accountNumbersReply.body.data)
      ? (accountNumbersReply.body.data as Array<{ id?: unknown }>)
      : [];
    if (accountNumbersReply.outcome !== "ok") return accountNumbersReply;
    if (numbers.some(({ id }) => id === target.remoteKey)) return numberReply;
    return { ...numberReply, outcome: "gone", code: "not_in_account" };
  },
  async setWebhook(target, webhookUrl, callProvider) {
    const { outcome } = await requestGraph(
      target,
      callProvider,
      "set",
      "POST",
      `${target.accountKey}/subscribed_apps`,
    );
    if (outcome !== "ok") return outcome;
    // `answerMetaChallenge` in receive-webhook.ts expects the same 32 characters.
    const override = { override_callback_uri: webhookUrl, verify_token: webhookUrl.slice(-32) };
    return (
      await requestGraph(target, callProvider, "set", "POST", target.remoteKey, {
        webhook_configuration: override,
      })
    ).outcome;
  },
  async checkWebhookOwner(target, callProvider) {
    const { outcome, body } = await readWebhookOverrides(target, callProvider, "compare");
    // The token may lack access to the configuration only, so check the number itself.
    if (outcome === "gone")
      return (await requestGraph(target, callProvider, "verify", "GET", target.remoteKey)).outcome === "gone"
        ? "gone"
        : "retry";
    if (outcome !== "ok") return outcome;
    const { phone_number: override, whatsapp_business_account: accountOverride } = body;
    if (!override) return isOurWebhook(accountOverride, { channel: target.channel }) ? "ok" : "gone";
    return isOurWebhook(override, target) ? "ok" : "not_ours";
  },
  async clearWebhook(target, callProvider) {
    const emptyOverride = { override_callback_uri: "" };
    const fields = { webhook_configuration: emptyOverride };
    const { outcome: clearOutcome } = await requestGraph(
      target,
      callProvider,
      "clear",
      "POST",
      target.remoteKey,
      fields,
    );
    if (clearOutcome !== "ok") return clearOutcome;
    const { outcome, body } = await readWebhookOverrides(target, callProvider, "verify");
    if (outcome !== "ok") return outcome;
    if (isOurWebhook(body.phone_number, target)) return "retry";
    // Our older versions set an account-wide override, which would still send us the number's messages.
    if (!isOurWebhook(body.whatsapp_business_account, { channel: target.channel })) return "ok";
    return (
      await requestGraph(
        target,
        callProvider,
        "clear",
        "POST",
        `${target.accountKey}/subscribed_apps`,
        emptyOverride,
      )
    ).outcome;
  },
  async clearAccountSettings(target, callProvider) {
    const state = await getSubscriptionState(target, callProvider, "shared", target.accountKey!);
    if (state !== "ok") return state;
    return (
      await requestGraph(target, callProvider, "shared", "DELETE", `${target.accountKey}/subscribed_apps`)
    ).outcome;
  },
  /** Sends Meta's sample template: a business may start a conversation with templates only. */
  async sendTestMessage(target, { to }, callProvider) {
    const fields = {
      messaging_product: "whatsapp",
      to: to.replace("+", ""),
      type: "template",
      template: { name: "hello_world", language: { code: "en_US" } },
    };
    const reply = await requestGraph(
      target,
      callProvider,
      "test",
      "POST",
      `${target.remoteKey}/messages`,
      fields,
    );
    return withRefusal(reply, TEST_REFUSAL_BY_CODE);
  },
  listCleanUpCalls: (target) => ({
    clearCalls: [formatDisplayCall("POST", target.remoteKey)],
    accountWideCalls: [formatDisplayCall("DELETE", `${target.accountKey}/subscribed_apps`)],
  }),
};

function createSubscriptionProvider(
  getCheckPath: (target: ProviderTarget) => string,
  subscribedFields: string,
  isInstagram: boolean,
): Provider {
  const getSubscriptionPath = (target: ProviderTarget) => `${target.remoteKey}/subscribed_apps`;
  return {
    checkCredentials: (target, callProvider) =>
      requestGraph(target, callProvider, "check", "GET", getCheckPath(target)),
    async setWebhook(target, _webhookUrl, callProvider) {
      return (
        await requestGraph(
          target,
          callProvider,
          "set",
          "POST",
          `${getSubscriptionPath(target)}?subscribed_fields=${subscribedFields}`,
        )
      ).outcome;
    },
    async checkWebhookOwner(target, callProvider) {
      const state = await getSubscriptionState(target, callProvider, "compare", target.remoteKey);
      // Instagram does not return subscriptions to every token: clear without comparing.
      return isInstagram && state === "forbidden" ? "ok" : state;
    },
    async clearWebhook(target, callProvider) {
      return (await requestGraph(target, callProvider, "clear", "DELETE", getSubscriptionPath(target)))
        .outcome;
    },
    listCleanUpCalls: (target) => ({
      clearCalls: [formatDisplayCall("DELETE", getSubscriptionPath(target), isInstagram)],
      accountWideCalls: [],
    }),
  };
}

export const messenger = createSubscriptionProvider(
  ({ remoteKey }) => `${remoteKey}?fields=id,name`,
  "messages,messaging_postbacks",
  false,
);
export const instagram = createSubscriptionProvider(() => "me?fields=user_id,username", "messages", true);
