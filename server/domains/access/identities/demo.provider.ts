import { createECDH, createPrivateKey } from "node:crypto";
import { type JWK, SignJWT } from "jose";
import { env } from "@/server/core/env";
import { getInitials } from "@/server/core/graphemes";
import { toEmailKey } from "@/server/core/schema";
import { MINUTE } from "@/server/core/time";
import { deriveKey } from "@/server/infrastructure/secrets/derive";
import { sealPayload, unsealPayload } from "@/server/infrastructure/secrets/seal";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { IdentityProvider } from "./contract";

/* Identity provider for development: works without a network, for any name and address. */

export const DEMO_CLIENT_ID = "tellal-demo";

const CODE_LIFETIME_MS = MINUTE;
const CODE_SEAL_PURPOSE = "demo_identity_code";

/** The issuer is also the URL of the sign-in page. */
export function getDemoIssuer(provider: IdentityProvider): string {
  return `${env().APP_URL}/dev/identity/${provider}`;
}

export function getDemoRedirectUrl(provider: IdentityProvider): string {
  return `${env().APP_URL}/session/callback/${provider}`;
}

/** Derived from the application's secret: the same in every process, stored nowhere. */
function deriveDemoKeyPair() {
  const curve = createECDH("prime256v1");
  const secret = deriveKey("demo-identity");
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const encode = (bytes: Buffer) => bytes.toString("base64url");
  const publicKey = {
    kty: "EC",
    crv: "P-256",
    x: encode(point.subarray(1, 33)),
    y: encode(point.subarray(33)),
  };
  return { publicKey, privateKey: { ...publicKey, d: encode(secret) } };
}

export function getDemoPublicKey(): JWK {
  return { ...deriveDemoKeyPair().publicKey, kid: "demo", alg: "ES256", use: "sig" };
}

interface DemoPerson {
  name: string;
  email: string;
}

interface DemoGrant extends DemoPerson {
  provider: IdentityProvider;
  nonce?: string;
  /** SHA-256 of the PKCE verifier, base64url. */
  challenge?: string;
  until: number;
}

export function issueDemoCode(grant: Omit<DemoGrant, "until">): string {
  return sealPayload({ ...grant, until: Date.now() + CODE_LIFETIME_MS }, CODE_SEAL_PURPOSE);
}

export async function exchangeDemoCode(
  provider: IdentityProvider,
  code: string,
  pkceVerifier: string | null,
): Promise<string | undefined> {
  const grant = unsealDemoCode(code);
  if (!grant || grant.provider !== provider || grant.until < Date.now()) return undefined;
  if (grant.challenge && grant.challenge !== hashSecret(pkceVerifier ?? "").toString("base64url"))
    return undefined;
  return issueDemoIdToken(grant);
}

function getDemoPictureUrl(provider: IdentityProvider, name: string): string {
  const initials = getInitials(name);
  return `${getDemoIssuer(provider)}/picture/${encodeURIComponent(initials.toUpperCase())}`;
}

function unsealDemoCode(code: string): DemoGrant | undefined {
  try {
    return unsealPayload<DemoGrant>(code, CODE_SEAL_PURPOSE);
  } catch {
    return undefined;
  }
}

export async function issueDemoIdToken({
  provider,
  name,
  email,
  nonce,
}: Omit<DemoGrant, "until" | "challenge">): Promise<string> {
  const key = createPrivateKey({ key: deriveDemoKeyPair().privateKey, format: "jwk" });
  const picture = getDemoPictureUrl(provider, name || email);
  return new SignJWT({ email, email_verified: true, name, picture, nonce })
    .setProtectedHeader({ alg: "ES256", kid: "demo", typ: "JWT" })
    .setIssuer(getDemoIssuer(provider))
    .setAudience(DEMO_CLIENT_ID)
    .setSubject(hashSecret(toEmailKey(email)).toString("hex"))
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(key);
}
