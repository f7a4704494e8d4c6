import { createECDH, createPrivateKey } from "node:crypto";
import { type JWK, SignJWT } from "jose";
import { env } from "@/server/core/env";
import { initialsOf } from "@/server/core/graphemes";
import { emailKey } from "@/server/core/schema";
import { MINUTE } from "@/server/core/time";
import { derivedKey } from "@/server/infrastructure/secrets/derive";
import { sealPayload, unsealPayload } from "@/server/infrastructure/secrets/seal";
import { digest } from "@/server/infrastructure/secrets/tokens";
import type { IdentityProvider } from "./contract";

/* Demo provider: sign-in buttons without a network, any name and address. Not in a production build. */

export const DEMO_CLIENT = "tellal-demo";

const CODE_LIFE = MINUTE;
const CODE_PURPOSE = "demo_identity_code";

/** URL of its page, which is also the issuer. */
export function demoIssuer(provider: IdentityProvider): string {
  return `${env().APP_URL}/dev/identity/${provider}`;
}

export function demoRedirectUrl(provider: IdentityProvider): string {
  return `${env().APP_URL}/session/callback/${provider}`;
}

/** Derived from the application's secret: the same in every process, stored nowhere. */
function demoKey() {
  const curve = createECDH("prime256v1");
  const secret = derivedKey("demo-identity");
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const text = (bytes: Buffer) => bytes.toString("base64url");
  const publicKey = { kty: "EC", crv: "P-256", x: text(point.subarray(1, 33)), y: text(point.subarray(33)) };
  return { publicKey, privateKey: { ...publicKey, d: text(secret) } };
}

export function demoPublicKey(): JWK {
  return { ...demoKey().publicKey, kid: "demo", alg: "ES256", use: "sig" };
}

interface DemoPerson {
  name: string;
  email: string;
}

interface Grant extends DemoPerson {
  provider: IdentityProvider;
  nonce?: string;
  /** SHA-256 of the PKCE verifier, base64url. */
  challenge?: string;
  until: number;
}

export function demoCode(grant: Omit<Grant, "until">): string {
  return sealPayload({ ...grant, until: Date.now() + CODE_LIFE }, CODE_PURPOSE);
}

/** Undefined when the code or its PKCE verifier is wrong. */
export async function demoExchange(
  provider: IdentityProvider,
  code: string,
  verifier: string | null,
): Promise<string | undefined> {
  const grant = openCode(code);
  if (!grant || grant.provider !== provider || grant.until < Date.now()) return undefined;
  if (grant.challenge && grant.challenge !== digest(verifier ?? "").toString("base64url")) return undefined;
  return demoIdToken(grant);
}

function demoPicture(provider: IdentityProvider, name: string): string {
  const initials = initialsOf(name);
  return `${demoIssuer(provider)}/picture/${encodeURIComponent(initials.toUpperCase())}`;
}

function openCode(code: string): Grant | undefined {
  try {
    return unsealPayload<Grant>(code, CODE_PURPOSE);
  } catch {
    return undefined;
  }
}

export async function demoIdToken({
  provider,
  name,
  email,
  nonce,
}: Omit<Grant, "until" | "challenge">): Promise<string> {
  const key = createPrivateKey({ key: demoKey().privateKey, format: "jwk" });
  const picture = demoPicture(provider, name || email);
  return new SignJWT({ email, email_verified: true, name, picture, nonce })
    .setProtectedHeader({ alg: "ES256", kid: "demo", typ: "JWT" })
    .setIssuer(demoIssuer(provider))
    .setAudience(DEMO_CLIENT)
    .setSubject(digest(emailKey(email)).toString("hex"))
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(key);
}
