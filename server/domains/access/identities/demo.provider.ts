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

/*
 * An identity provider inside a demo, so that its sign-in buttons work on a machine without a network. It accepts any
 * name and address a person types; production does not contain it.
 */

/** Our client id at the demo's provider. */
export const DEMO_CLIENT = "tellal-demo";

const CODE_LIFE = MINUTE;
const CODE_PURPOSE = "demo_identity_code";

/** Address of its page, which is also its issuer name. */
export function demoAddress(provider: IdentityProvider): string {
  return `${env().APP_URL}/dev/identity/${provider}`;
}

/** The only address it redirects people to. */
export function demoReturn(provider: IdentityProvider): string {
  return `${env().APP_URL}/session/callback/${provider}`;
}

/** The key is derived from the application's secret: the same in every process, and stored nowhere. */
function demoKey() {
  const curve = createECDH("prime256v1");
  const secret = derivedKey("demo-identity");
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const text = (bytes: Buffer) => bytes.toString("base64url");
  const open = { kty: "EC", crv: "P-256", x: text(point.subarray(1, 33)), y: text(point.subarray(33)) };
  return { open, closed: { ...open, d: text(secret) } };
}

export function demoPublicKey(): JWK {
  return { ...demoKey().open, kid: "demo", alg: "ES256", use: "sig" };
}

/** The person that somebody chose to be. */
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

/** Returns a code for the redirect back, valid for a minute. */
export function demoCode(grant: Omit<Grant, "until">): string {
  return sealPayload({ ...grant, until: Date.now() + CODE_LIFE }, CODE_PURPOSE);
}

/** Returns the id_token for a code; undefined when the code or its verifier is wrong. */
export async function demoExchange(
  provider: IdentityProvider,
  code: string,
  verifier: string | null,
): Promise<string | undefined> {
  const grant = open(code);
  if (!grant || grant.provider !== provider || grant.until < Date.now()) return undefined;
  if (grant.challenge && grant.challenge !== digest(verifier ?? "").toString("base64url")) return undefined;
  return demoIdToken(grant);
}

function demoPicture(provider: IdentityProvider, name: string): string {
  const initials = initialsOf(name);
  return `${demoAddress(provider)}/picture/${encodeURIComponent(initials.toUpperCase())}`;
}

function open(code: string): Grant | undefined {
  try {
    return unsealPayload<Grant>(code, CODE_PURPOSE);
  } catch {
    return undefined;
  }
}

/** Returns the id_token of a person, valid for five minutes. */
export async function demoIdToken({
  provider,
  name,
  email,
  nonce,
}: Omit<Grant, "until" | "challenge">): Promise<string> {
  const key = createPrivateKey({ key: demoKey().closed, format: "jwk" });
  const picture = demoPicture(provider, name || email);
  return new SignJWT({ email, email_verified: true, name, picture, nonce })
    .setProtectedHeader({ alg: "ES256", kid: "demo", typ: "JWT" })
    .setIssuer(demoAddress(provider))
    .setAudience(DEMO_CLIENT)
    .setSubject(digest(emailKey(email)).toString("hex"))
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(key);
}
