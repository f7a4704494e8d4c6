import { env } from "@/server/core/env";
import {
  type Call,
  isOurs,
  type Outcome,
  type Provider,
  type Step,
  type Target,
  type Verdict,
} from "./service/provider";

/** Graph API error codes, which are stable, unlike statuses and subcodes. Others are retried. */
const CODES: Record<number, Outcome> = {
  0: "dead",
  190: "dead",
  3: "forbidden",
  10: "forbidden",
  33: "gone",
  368: "forbidden",
};

const verdict: Verdict = (status, { error }) => {
  if (!error) return { outcome: status < 300 ? "ok" : "retry" };
  const { code = -1, error_subcode: sub } = error as { code?: number; error_subcode?: number };
  const fullCode = sub === undefined ? `${code}` : `${code}/${sub}`;
  if (code === 100) return { outcome: sub === 33 ? "gone" : "forbidden", code: fullCode };
  if (code >= 200 && code <= 299) return { outcome: "forbidden", code: fullCode };
  return { outcome: CODES[code] ?? "retry", code: fullCode };
};

type Method = "GET" | "POST" | "DELETE";

function request(target: Target, call: Call, step: Step, method: Method, path: string, fields?: object) {
  const { META_GRAPH_URL, INSTAGRAM_GRAPH_URL, META_GRAPH_VERSION } = env();
  const base = target.channel === "instagram" ? INSTAGRAM_GRAPH_URL : META_GRAPH_URL;
  return call(
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
    verdict,
  );
}

function displayedCall(method: Method, path: string, instagram = false): string {
  const { META_GRAPH_URL, INSTAGRAM_GRAPH_URL, META_GRAPH_VERSION } = env();
  return `${method} ${new URL(instagram ? INSTAGRAM_GRAPH_URL : META_GRAPH_URL).host}/${META_GRAPH_VERSION}/${path}`;
}

/** Returns `ok` if our app is subscribed to the object, `gone` if not. */
async function subscriptionState(target: Target, call: Call, step: Step, id: string): Promise<Outcome> {
  const { outcome, body } = await request(target, call, step, "GET", `${id}/subscribed_apps`);
  if (outcome !== "ok") return outcome;
  const apps = Array.isArray(body.data) ? (body.data as Array<Record<string, unknown>>) : [];
  const ids = apps.flatMap(({ id: app, whatsapp_business_api_data: data }) => [
    app,
    (data as { id?: unknown })?.id,
  ]);
  return ids.includes(env().META_APP_ID) ? "ok" : "gone";
}

async function overrides(target: Target, call: Call, step: Step) {
  const path = `${target.remoteKey}?fields=webhook_configuration`;
  const { outcome, body } = await request(target, call, step, "GET", path);
  return { outcome, body: (body.webhook_configuration ?? {}) as Record<string, unknown> };
}

export const whatsapp: Provider = {
  async check(target, call) {
    const fields = "display_phone_number,verified_name,webhook_configuration";
    const number = await request(target, call, "check", "GET", `${target.remoteKey}?fields=${fields}`);
    if (number.outcome !== "ok") return number;
    // Shared settings are decided per business account, so the number must belong to the named one.
    const accountNumbers = await request(target, call, "check", "GET", `${target.accountKey}/phone_numbers`);
    const numbers = Array.isArray(accountNumbers.body.data)
      ? (accountNumbers.body.data as Array<{ id?: unknown }>)
      : [];
    if (accountNumbers.outcome !== "ok") return accountNumbers;
    if (numbers.some(({ id }) => id === target.remoteKey)) return number;
    return { ...number, outcome: "gone", code: "not_in_account" };
  },
  async set(target, hook, call) {
    const { outcome } = await request(target, call, "set", "POST", `${target.accountKey}/subscribed_apps`);
    if (outcome !== "ok") return outcome;
    const override = { override_callback_uri: hook, verify_token: hook.slice(-32) };
    return (await request(target, call, "set", "POST", target.remoteKey, { webhook_configuration: override }))
      .outcome;
  },
  async compare(target, call) {
    const { outcome, body } = await overrides(target, call, "compare");
    // The token may only lack access to the configuration: ask for the object itself.
    if (outcome === "gone")
      return (await request(target, call, "verify", "GET", target.remoteKey)).outcome === "gone"
        ? "gone"
        : "retry";
    if (outcome !== "ok") return outcome;
    const { phone_number: override, whatsapp_business_account: ofAccount } = body;
    if (!override) return isOurs(ofAccount, { channel: target.channel }) ? "ok" : "gone";
    return isOurs(override, target) ? "ok" : "not_ours";
  },
  async clear(target, call) {
    const emptyOverride = { override_callback_uri: "" };
    const fields = { webhook_configuration: emptyOverride };
    const { outcome: cleared } = await request(target, call, "clear", "POST", target.remoteKey, fields);
    if (cleared !== "ok") return cleared;
    const { outcome, body } = await overrides(target, call, "verify");
    if (outcome !== "ok") return outcome;
    if (isOurs(body.phone_number, target)) return "retry";
    // Older versions set an override for the whole account, which would still send us the number's messages.
    if (!isOurs(body.whatsapp_business_account, { channel: target.channel })) return "ok";
    return (
      await request(target, call, "clear", "POST", `${target.accountKey}/subscribed_apps`, emptyOverride)
    ).outcome;
  },
  async clearShared(target, call) {
    const state = await subscriptionState(target, call, "shared", target.accountKey!);
    if (state !== "ok") return state;
    return (await request(target, call, "shared", "DELETE", `${target.accountKey}/subscribed_apps`)).outcome;
  },
  plan: (target) => ({
    clear: [displayedCall("POST", target.remoteKey)],
    shared: [displayedCall("DELETE", `${target.accountKey}/subscribed_apps`)],
  }),
};

/** A page or an Instagram account: a subscription of our app to one object. */
function subscription(checkPath: (target: Target) => string, fields: string, instagram: boolean): Provider {
  const edge = (target: Target) => `${target.remoteKey}/subscribed_apps`;
  return {
    check: (target, call) => request(target, call, "check", "GET", checkPath(target)),
    async set(target, _hook, call) {
      return (await request(target, call, "set", "POST", `${edge(target)}?subscribed_fields=${fields}`))
        .outcome;
    },
    async compare(target, call) {
      const state = await subscriptionState(target, call, "compare", target.remoteKey);
      return instagram && state === "forbidden" ? "ok" : state;
    },
    async clear(target, call) {
      return (await request(target, call, "clear", "DELETE", edge(target))).outcome;
    },
    plan: (target) => ({ clear: [displayedCall("DELETE", edge(target), instagram)], shared: [] }),
  };
}

export const messenger = subscription(
  ({ remoteKey }) => `${remoteKey}?fields=id,name`,
  "messages,messaging_postbacks",
  false,
);
export const instagram = subscription(() => "me?fields=user_id,username", "messages", true);
