// Code samples of the guides, not translated.

export const RATE_LIMITED_RESPONSE =
  "Retry-After: 42\nX-Error-Code: too_many_requests\nX-RateLimit-Limit: 600\nX-RateLimit-Remaining: 0\nX-RateLimit-Reset: 1826703042";

export const buildIdempotentRequest = (base: string) => `curl -X POST ${base}/api/sites \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Idempotency-Key: order-2026-000417" \\
  -H "Content-Type: application/json" \\
  -d '{ "name": "Shop", "domain": "shop.example.com" }'`;

export const PAGED_RESPONSE = `GET /api/sites?page=2&per_page=100

"meta": { "page": 2, "per_page": 100, "total": 317 }`;

export const WEBHOOK_HEADERS = `webhook-id: msg_2KWPBgLlAfxdpx2AI54pPJ85f4W
webhook-timestamp: 1826703042
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`;

/** Formats seconds as "5 s, 30 s, 2 min, 1 h", with symbols valid in every language. */
export function formatDelays(seconds: readonly number[]): string {
  return seconds
    .map((each) => (each < 60 ? `${each} s` : each < 3600 ? `${each / 60} min` : `${each / 3600} h`))
    .join(", ");
}

export const TS_VERIFY = `import { createHmac, timingSafeEqual } from "node:crypto";

/** \`body\` is the raw request body, before any parsing. */
export function isGenuine(headers: Headers, body: string, secret: string): boolean {
  const id = headers.get("webhook-id") ?? "";
  const time = headers.get("webhook-timestamp") ?? "";
  if (!(Math.abs(Date.now() / 1000 - Number(time)) < 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(\`\${id}.\${time}.\${body}\`).digest();
  return (headers.get("webhook-signature") ?? "").split(" ").some((each) => {
    const signature = Buffer.from(each.replace(/^v1,/, ""), "base64");
    if (!each.startsWith("v1,") || signature.length !== expected.length) return false;
    return timingSafeEqual(signature, expected);
  });
}`;

export const PHP_VERIFY = `<?php
/** $body is the raw request body: file_get_contents('php://input'). */
function is_genuine(string $id, string $time, string $signatures, string $body, string $secret): bool
{
    if (abs(time() - (int) $time) >= 300) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}`;
