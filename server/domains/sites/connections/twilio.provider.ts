import { env } from "@/server/core/env";
import {
  type CallStep,
  isOurWebhook,
  type Provider,
  type ProviderCaller,
  type ProviderTarget,
  type ResponseClassifier,
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
const getNumberPath = (target: ProviderTarget) =>
  `2010-04-01/Accounts/${target.accountKey}/IncomingPhoneNumbers/${target.remoteKey}.json`;

function requestNumber(
  target: ProviderTarget,
  callProvider: ProviderCaller,
  step: CallStep,
  form?: Record<string, string>,
) {
  const credentials = Buffer.from(`${target.accountKey}:${target.secret}`).toString("base64");
  return callProvider(
    {
      step,
      method: form ? "POST" : "GET",
      url: `${env().TWILIO_API_URL}/${getNumberPath(target)}`,
      headers: {
        authorization: `Basic ${credentials}`,
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    },
    classifyResponse,
  );
}

export const twilio: Provider = {
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
};
