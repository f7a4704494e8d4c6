import { createHmac, timingSafeEqual } from "node:crypto";
import {
  parseFields,
  type Sandbox,
  type SandboxCall,
  type SandboxResponse,
  sandboxResponse,
  stringOrEmpty,
} from "./sandbox";

const ERROR_RESPONSES: Record<string, SandboxResponse> = {
  failing: sandboxResponse(500, { error: "failing" }),
  gone: sandboxResponse(410, { error: "gone" }),
  moved: { ...sandboxResponse(302, {}), headers: { location: "/dev/sandbox/webhook/elsewhere" } },
  busy: { ...sandboxResponse(429, { error: "busy" }), headers: { "retry-after": "60" } },
};

/** Maximum age of a signature; an older one may be a replay. */
const SIGNATURE_TOLERANCE_SECONDS = 300;

/** PUT sets the secret; without it, all signatures pass. `failing`, `gone`, `moved`, `busy` send errors. */
export const webhookReceiver: Sandbox = async (call, store, now) => {
  const [, receiverName] = /^\/([\w-]{1,60})$/.exec(call.path) ?? [];
  if (!receiverName) return sandboxResponse(404, { error: "not found" });
  if (call.method === "PUT") {
    await store.set(`secret:${receiverName}`, stringOrEmpty(parseFields(call).secret));
    return sandboxResponse(200, { ok: true });
  }
  if (call.method === "GET")
    return sandboxResponse(200, { last: (await store.get(`last:${receiverName}`)) ?? null });
  if (call.method !== "POST") return sandboxResponse(405, { error: "method not allowed" });
  const secret = stringOrEmpty(await store.get(`secret:${receiverName}`));
  const isVerified = secret ? hasValidSignature(call, secret, now) : null;
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map(
    (header) => call.header(header) ?? null,
  );
  await store.set(`last:${receiverName}`, {
    id,
    timestamp,
    signature,
    body: call.body,
    verified: isVerified,
  });
  if (isVerified === false) return sandboxResponse(401, { error: "signature" });
  return (
    (Object.hasOwn(ERROR_RESPONSES, receiverName) && ERROR_RESPONSES[receiverName]) ||
    sandboxResponse(204, undefined)
  );
};

function hasValidSignature(call: SandboxCall, secret: string, now: number): boolean {
  const timestamp = call.header("webhook-timestamp") ?? "";
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= SIGNATURE_TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signedText = `${call.header("webhook-id")}.${timestamp}.${call.body}`;
  const expectedSignature = createHmac("sha256", key).update(signedText).digest();
  return (call.header("webhook-signature") ?? "").split(" ").some((each) => {
    const [version, signature = ""] = each.split(",");
    const candidate = Buffer.from(signature, "base64");
    return (
      version === "v1" &&
      candidate.length === expectedSignature.length &&
      timingSafeEqual(candidate, expectedSignature)
    );
  });
}
