import { env } from "@/server/core/env";
import { type Call, isOurs, type Provider, type Step, type Target, type Verdict } from "./service/provider";

const verdict: Verdict = (status, { code }) => {
  const errorCode = status < 300 ? null : String(code ?? "") || null;
  if (status < 300) return { outcome: "ok" };
  if (status === 401) return { outcome: "dead", code: errorCode };
  if (status === 404) return { outcome: code === 20404 ? "gone" : "retry", code: errorCode };
  if (status === 403 || status === 400) return { outcome: "forbidden", code: errorCode };
  return { outcome: "retry", code: errorCode };
};

/** URL fields of a number by channel: name in responses, name in forms. */
const FIELDS = {
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

const fieldsOf = (target: Target) => FIELDS[target.channel === "voice" ? "voice" : "sms"];
const path = (target: Target) =>
  `2010-04-01/Accounts/${target.accountKey}/IncomingPhoneNumbers/${target.remoteKey}.json`;

function request(target: Target, call: Call, step: Step, form?: Record<string, string>) {
  const credentials = Buffer.from(`${target.accountKey}:${target.secret}`).toString("base64");
  return call(
    {
      step,
      method: form ? "POST" : "GET",
      url: `${env().TWILIO_API_URL}/${path(target)}`,
      headers: {
        authorization: `Basic ${credentials}`,
        ...(form && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    },
    verdict,
  );
}

export const twilio: Provider = {
  check: (target, call) => request(target, call, "check"),
  async set(target, hook, call) {
    return (await request(target, call, "set", { [fieldsOf(target)[0][1]]: hook })).outcome;
  },
  async compare(target, call) {
    const { outcome, body } = await request(target, call, "compare");
    if (outcome !== "ok") return outcome;
    const set = fieldsOf(target)
      .map(([name]) => body[name])
      .filter(Boolean);
    if (set.length === 0) return "gone";
    return set.some((url) => isOurs(url, target)) ? "ok" : "not_ours";
  },
  /** Clears only URLs that are ours; a customer's own fallback stays. */
  async clear(target, call) {
    const { outcome, body } = await request(target, call, "verify");
    if (outcome !== "ok") return outcome;
    const ours = fieldsOf(target).filter(([name]) => isOurs(body[name], target));
    return (await request(target, call, "clear", Object.fromEntries(ours.map(([, field]) => [field, ""]))))
      .outcome;
  },
  plan: (target) => ({ clear: [`POST ${new URL(env().TWILIO_API_URL).host}/${path(target)}`], shared: [] }),
};
