import { setTimeout as sleep } from "node:timers/promises";
import { SECOND } from "@/server/core/time";
import {
  type Call,
  isOurs,
  type Line,
  type Outcome,
  type Provider,
  type Step,
  type Verdict,
} from "./service/provider";

/** A delete is believed when the instance is not there any more; asked so often, a second apart. */
const LOOKS = 5;
/** What a delete comes to by its answer alone. */
const ENDS = new Set<Outcome>(["gone", "dead", "forbidden"]);

const verdict: Verdict = (status, body) => {
  const { message } = (body.response ?? {}) as { message?: unknown };
  const code = status < 300 ? null : [message].flat().join(" ").slice(0, 80) || null;
  if (status < 300) return { outcome: "ok" };
  // A missing instance is told before the key is looked at.
  if (status === 404) return { outcome: /instance does not exist/.test(code ?? "") ? "gone" : "retry", code };
  if (status === 401) return { outcome: "dead", code };
  if (status === 403) return { outcome: "forbidden", code };
  return { outcome: "retry", code };
};

type Method = "GET" | "POST" | "DELETE";

/** The name stands in the path alone: a query would overwrite it there. */
function ask(line: Line, call: Call, step: Step, method: Method, path: string, fields?: object) {
  return call(
    {
      step,
      method,
      url: `${line.config.base_url}/${path}/${encodeURIComponent(line.config.instance!)}`,
      headers: { apikey: line.secret, ...(fields && { "content-type": "application/json" }) },
      ...(fields && { body: JSON.stringify(fields) }),
    },
    verdict,
  );
}

const webhook = (url: string) => ({
  webhook: { enabled: true, url, byEvents: false, base64: false, events: [] },
});

/** Creates an instance on its server with our hook; the answer holds its own key. */
export function createInstance(line: Line, hook: string, call: Call) {
  const fields = {
    instanceName: line.config.instance,
    integration: "WHATSAPP-BAILEYS",
    qrcode: true,
    ...webhook(hook),
  };
  return call(
    {
      step: "set",
      method: "POST",
      url: `${line.config.base_url}/instance/create`,
      headers: { apikey: line.secret, "content-type": "application/json" },
      body: JSON.stringify(fields),
    },
    verdict,
  );
}

export const evolution: Provider = {
  check: (line, call) => ask(line, call, "check", "GET", "instance/connectionState"),
  async set(line, hook, call) {
    return (await ask(line, call, "set", "POST", "webhook/set", webhook(hook))).outcome;
  },
  async compare(line, call) {
    const { outcome } = await ask(line, call, "compare", "GET", "instance/connectionState");
    if (outcome !== "ok") return outcome;
    const found = await ask(line, call, "compare", "GET", "webhook/find");
    if (found.outcome !== "ok") return found.outcome;
    return !found.body.url || isOurs(found.body.url, line) ? "ok" : "not_ours";
  },
  async clear(line, call) {
    // A refused logout may have closed the session all the same, and delete closes one that is open.
    const out = await ask(line, call, "clear", "DELETE", "instance/logout");
    if (out.outcome === "gone" || out.outcome === "dead") return out.outcome;
    let last: Outcome = "retry";
    for (let tries = 0; tries < 2; tries++) {
      const deleted = await ask(line, call, "clear", "DELETE", "instance/delete");
      if (ENDS.has(deleted.outcome)) return deleted.outcome;
      last = await gone(line, call);
      if (last === "gone") return "ok";
    }
    return last === "ok" ? "retry" : last;
  },
  plan: (line) => {
    const { host, pathname } = new URL(line.config.base_url!);
    const path = `${host}${pathname === "/" ? "" : pathname}`;
    return {
      clear: ["logout", "delete"].map((verb) => `DELETE ${path}/instance/${verb}/${line.config.instance}`),
      shared: [],
    };
  },
};

/** An answer of success is no proof: `gone` is. */
async function gone(line: Line, call: Call): Promise<Outcome> {
  let last: Outcome = "retry";
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await sleep(SECOND);
    last = (await ask(line, call, "verify", "GET", "instance/connectionState")).outcome;
    // With the instance's own key, 401 says that the row of the key is gone.
    if (last !== "ok" && last !== "retry") return last === "dead" ? "gone" : last;
  }
  return last;
}
