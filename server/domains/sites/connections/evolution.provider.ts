import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "@/server/core/time";
import {
  type Call,
  isOurs,
  type Outcome,
  type Provider,
  type Step,
  type Target,
  type Verdict,
} from "./service/provider";

/** Checks after a delete, one second apart: only a missing instance proves success. */
const ATTEMPTS = 5;
const FINAL_OUTCOMES = new Set<Outcome>(["gone", "dead", "forbidden"]);

const verdict: Verdict = (status, body) => {
  const { message } = (body.response ?? {}) as { message?: unknown };
  const code = status < 300 ? null : [message].flat().join(" ").slice(0, 80) || null;
  if (status < 300) return { outcome: "ok" };
  // Evolution reports a missing instance before it checks the key.
  if (status === 404) return { outcome: /instance does not exist/.test(code ?? "") ? "gone" : "retry", code };
  if (status === 401) return { outcome: "dead", code };
  if (status === 403) return { outcome: "forbidden", code };
  return { outcome: "retry", code };
};

type Method = "GET" | "POST" | "DELETE";

/** The name is in the path only: a query parameter would override it. */
function request(target: Target, call: Call, step: Step, method: Method, path: string, fields?: object) {
  return call(
    {
      step,
      method,
      url: `${target.config.base_url}/${path}/${encodeURIComponent(target.config.instance!)}`,
      headers: { apikey: target.secret, ...(fields && { "content-type": "application/json" }) },
      ...(fields && { body: JSON.stringify(fields) }),
    },
    verdict,
  );
}

const webhook = (url: string) => ({
  webhook: { enabled: true, url, byEvents: false, base64: false, events: [] },
});

export function createInstance(target: Target, hook: string, call: Call) {
  const fields = {
    instanceName: target.config.instance,
    integration: "WHATSAPP-BAILEYS",
    qrcode: true,
    ...webhook(hook),
  };
  return call(
    {
      step: "set",
      method: "POST",
      url: `${target.config.base_url}/instance/create`,
      headers: { apikey: target.secret, "content-type": "application/json" },
      body: JSON.stringify(fields),
    },
    verdict,
  );
}

export const evolution: Provider = {
  check: (target, call) => request(target, call, "check", "GET", "instance/connectionState"),
  async set(target, hook, call) {
    return (await request(target, call, "set", "POST", "webhook/set", webhook(hook))).outcome;
  },
  async compare(target, call) {
    const { outcome } = await request(target, call, "compare", "GET", "instance/connectionState");
    if (outcome !== "ok") return outcome;
    const reply = await request(target, call, "compare", "GET", "webhook/find");
    if (reply.outcome !== "ok") return reply.outcome;
    return !reply.body.url || isOurs(reply.body.url, target) ? "ok" : "not_ours";
  },
  async clear(target, call) {
    // A failed logout may still have closed the session, and delete closes an open one.
    const logout = await request(target, call, "clear", "DELETE", "instance/logout");
    if (logout.outcome === "gone" || logout.outcome === "dead") return logout.outcome;
    let last: Outcome = "retry";
    for (let tries = 0; tries < 2; tries++) {
      const deleted = await request(target, call, "clear", "DELETE", "instance/delete");
      if (FINAL_OUTCOMES.has(deleted.outcome)) return deleted.outcome;
      last = await waitUntilGone(target, call);
      if (last === "gone") return "ok";
    }
    return last === "ok" ? "retry" : last;
  },
  plan: (target) => {
    const { host, pathname } = new URL(target.config.base_url!);
    const path = `${host}${pathname === "/" ? "" : pathname}`;
    return {
      clear: ["logout", "delete"].map((verb) => `DELETE ${path}/instance/${verb}/${target.config.instance}`),
      shared: [],
    };
  },
};

/** Polls until the instance is gone: a successful delete response is no proof. */
async function waitUntilGone(target: Target, call: Call): Promise<Outcome> {
  let last: Outcome = "retry";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(SECOND);
    last = (await request(target, call, "verify", "GET", "instance/connectionState")).outcome;
    // The instance's own key is deleted with it: 401 means gone.
    if (last !== "ok" && last !== "retry") return last === "dead" ? "gone" : last;
  }
  return last;
}
