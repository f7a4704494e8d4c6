/** Maximum difference in seconds between the webhook's timestamp and the receiver's clock. */
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a webhook (Standard Webhooks) and returns its payload. Pass the raw `body` and the `whsec_`
 * secret, or both secrets during a rotation. Throws if the signature or its timestamp is invalid.
 */
export async function verifyWebhook<T = unknown>(
  body: string,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string | readonly string[],
  { now = Date.now() }: { now?: number } = {},
): Promise<T> {
  const id = readHeader(headers, "webhook-id");
  const timestamp = readHeader(headers, "webhook-timestamp");
  const signatures = readHeader(headers, "webhook-signature");
  if (!id || !timestamp || !signatures) throw new Error("The webhook has no signature");
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS)
    throw new Error("The webhook is too old, or the clock is wrong");
  const signedContent = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const candidateSecret of [secret].flat()) {
    const key = await crypto.subtle.importKey(
      "raw",
      decodeBase64(candidateSecret.replace(/^whsec_/, "")),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    for (const versionedSignature of signatures.split(" ")) {
      const [version, signature = ""] = versionedSignature.split(",");
      if (version !== "v1" || !/^[A-Za-z0-9+/]{43}=$/.test(signature)) continue;
      // `verify` compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, decodeBase64(signature), signedContent))
        return JSON.parse(body) as T;
    }
  }
  throw new Error("The webhook's signature does not match");
}

function readHeader(
  headers: Headers | Record<string, string | string[] | undefined>,
  name: string,
): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
