import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";

/** What secrets of endpoints are sealed for. */
export const WEBHOOK_PURPOSE = "webhook_secret";

const PREFIX = "whsec_";

/** A new secret in the form of Standard Webhooks: 33 random bytes, so that base64 needs no padding. */
export function newSecret(): {
  secret: string;
  secretSealed: Uint8Array<ArrayBuffer>;
  secretLastFour: string;
} {
  const secret = PREFIX + randomBytes(33).toString("base64");
  return { secret, secretSealed: seal(secret, WEBHOOK_PURPOSE), secretLastFour: secret.slice(-4) };
}

export interface Secrets {
  secretSealed: Uint8Array;
  oldSecretSealed: Uint8Array | null;
  oldSecretUntil: Date | null;
}

/**
 * The headers of one attempt: the time is the attempt's, the id the event's. While a replaced secret signs along there are two
 * signatures, and a receiver accepts either.
 */
export function signedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  { secretSealed, oldSecretSealed, oldSecretUntil }: Secrets,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const old = oldSecretSealed && oldSecretUntil && oldSecretUntil > at ? [oldSecretSealed] : [];
  const signatures = [secretSealed, ...old].map((sealed) => {
    const key = Buffer.from(unseal(sealed, WEBHOOK_PURPOSE).slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
