import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "@/server/infrastructure/secrets/seal";

export const WEBHOOK_SEAL_PURPOSE = "webhook_secret";

const SECRET_PREFIX = "whsec_";

/** Creates a secret in the format of Standard Webhooks. 33 bytes need no base64 padding. */
export function createWebhookSecret(): {
  secret: string;
  secretSealed: Uint8Array<ArrayBuffer>;
  secretLastFour: string;
} {
  const secret = SECRET_PREFIX + randomBytes(33).toString("base64");
  return { secret, secretSealed: seal(secret, WEBHOOK_SEAL_PURPOSE), secretLastFour: secret.slice(-4) };
}

export interface SigningSecrets {
  secretSealed: Uint8Array;
  oldSecretSealed: Uint8Array | null;
  oldSecretUntil: Date | null;
}

/** Builds headers with two signatures while a replaced secret is valid. Receivers accept either. */
export function buildSignedHeaders(
  { id, body, at }: { id: string; body: string; at: Date },
  { secretSealed, oldSecretSealed, oldSecretUntil }: SigningSecrets,
): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  const oldSecrets = oldSecretSealed && oldSecretUntil && oldSecretUntil > at ? [oldSecretSealed] : [];
  const signatures = [secretSealed, ...oldSecrets].map((sealed) => {
    const key = Buffer.from(unseal(sealed, WEBHOOK_SEAL_PURPOSE).slice(SECRET_PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
