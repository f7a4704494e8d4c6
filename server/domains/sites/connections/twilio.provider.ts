import { env } from "@/server/core/env";
import type { TestMessageRefusal } from "./errors";
import {
  type CallStep,
  isOurWebhook,
  type Provider,
  type ProviderCaller,
  type ProviderTarget,
  type ResponseClassifier,
  type TestMessageSender,
  withRefusal,
} from "./service/provider";

const classifyResponse: ResponseClassifier = (status, { code }) => {
  const errorCode = status < 300 ? null : String(code ?? "") || null;
  if (status < 300) return { outcome: "ok" };
  if (status === 401) return { outcome: "dead", code: errorCode };
  if (status === 404) return { outcome: code === 20404 ? "gone" : "retry", code: errorCode };
  if (status === 403 || status === 400) return { outcome: "forbidden", code: errorCode };
  return { outcome: "retry", code: errorCode };
};

/** URL fields of a number by channel: name in responses, name in forms. Our webhook uses the first one. */
const URL_FIELDS = {
  sms: [
    ["sms_url", "SmsUrl"],
    ["sms_fallback_url", "SmsFallbackUrl"],
  ],
  voice: [
    ["voice_url", "VoiceUrl"],
    ["voice_fallback_url", "VoiceFallbackUrl"],
    ["status_callback", "StatusCallback"],
  ],
} as const;

const getUrlFields = (target: ProviderTarget) => URL_FIELDS[target.channel === "voice" ? "voice" : "sms"];
const getAccountPath = ({ accountKey }: ProviderTarget) => `2010-04-01/Accounts/${accountKey}`;
const getNumberPath = (target: ProviderTarget) =>
  `${getAccountPath(target)}/IncomingPhoneNumbers/${target.remoteKey}.json`;

const requestNumber = (
  target: ProviderTarget,
  callProvider: ProviderCaller,
  step: CallStep,
  form?: Record<string, string>,
) => requestAccount(target, callProvider, step, getNumberPath(target), form);

function requestAccount(
  target: ProviderTarget,
  callProvider: ProviderCaller,
  step: CallStep,
  path: string,
  form?: Record<string, string>,
) {
  const credentials = Buffer.from(`${target.accountKey}:${target.secret}`).toString("base64");
  return callProvider(
    {
      step,
      method: form ? "POST" : "GET",
      url: `${env().TWILIO_API_URL}/${path}`,
      headers: {
        authorization: `Basic ${credentials}`,
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    },
    classifyResponse,
  );
}

/** Error codes of messages that were not accepted. */
const TEST_REFUSAL_BY_CODE: Partial<Record<string, TestMessageRefusal>> = {
  21211: "number_unreachable",
  21214: "number_unreachable",
  21217: "number_unreachable",
  21610: "number_unreachable",
  21612: "number_unreachable",
  21614: "number_unreachable",
  21408: "number_not_allowed",
  21608: "number_not_allowed",
  21606: "not_ready",
  21660: "not_ready",
  20003: "token_refused",
  30002: "no_credit",
  63038: "no_credit",
};

export const twilio: Provider & TestMessageSender = {
  checkCredentials: (target, callProvider) => requestNumber(target, callProvider, "check"),
  async setWebhook(target, webhookUrl, callProvider) {
    return (await requestNumber(target, callProvider, "set", { [getUrlFields(target)[0][1]]: webhookUrl }))
      .outcome;
  },
  async checkWebhookOwner(target, callProvider) {
    const { outcome, body } = await requestNumber(target, callProvider, "compare");
    if (outcome !== "ok") return outcome;
    const urls = getUrlFields(target)
      .map(([name]) => body[name])
      .filter(Boolean);
    if (urls.length === 0) return "gone";
    return urls.some((url) => isOurWebhook(url, target)) ? "ok" : "not_ours";
  },
  /** Clears only our URLs, because customers may have set a fallback URL of their own. */
  async clearWebhook(target, callProvider) {
    const { outcome, body } = await requestNumber(target, callProvider, "verify");
    if (outcome !== "ok") return outcome;
    const ourFields = getUrlFields(target).filter(([name]) => isOurWebhook(body[name], target));
    return (
      await requestNumber(
        target,
        callProvider,
        "clear",
        Object.fromEntries(ourFields.map(([, field]) => [field, ""])),
      )
    ).outcome;
  },
  listCleanUpCalls: (target) => ({
    clearCalls: [`POST ${new URL(env().TWILIO_API_URL).host}/${getNumberPath(target)}`],
    accountWideCalls: [],
  }),
  async sendTestMessage(target, { to, text }, callProvider) {
    // The label may have been changed, so ask for the number itself.
    const { outcome, body } = await requestNumber(target, callProvider, "check");
    if (outcome !== "ok") return { outcome };
    const form = { To: to, From: String(body.phone_number), Body: text };
    const path = `${getAccountPath(target)}/Messages.json`;
    return withRefusal(await requestAccount(target, callProvider, "test", path, form), TEST_REFUSAL_BY_CODE);
  },
};
