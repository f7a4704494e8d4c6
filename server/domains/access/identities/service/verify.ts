import { domainToUnicode } from "node:url";
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { refuse } from "@/server/core/errors";
import { emailText } from "@/server/core/normalise";
import { emailKey, email as emailSchema, line } from "@/server/core/schema";
import { fromNow } from "@/server/core/time";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { digest } from "@/server/infrastructure/secrets/tokens";
import type { IdentityProvider } from "../contract";
import { keyFor } from "../keys.provider";
import { type Provider, providerOf } from "./providers";

/** A user at a provider, identified by `(provider, issuer, subject)`; everything else may change. */
export interface Identity {
  provider: IdentityProvider;
  issuer: string;
  subject: string;
  email: string;
  name: string | null;
  avatarUrl: string | null;
  /** Hash of the signed part only: the same signature can be encoded in several ways. */
  tokenHash: Buffer<ArrayBuffer>;
}

const ALGORITHMS = ["RS256", "ES256"];
/** Seconds. */
const LEEWAY = 60;
const MAX_AGE = 600;
/** Headers that would let a token choose how it is verified, or that mark another kind of token. */
const REFUSED_HEADERS = ["jwk", "jku", "x5u", "x5c", "crit", "b64", "enc", "zip", "cty"];

/**
 * Verifies issuer, audience, age and verified address. Throws the `identity_*` errors of the contract. {@link
 * spendToken} uses the token up.
 */
export async function verifyIdToken(
  id: IdentityProvider,
  token: string,
  { nonce }: { nonce?: string | null } = {},
): Promise<Identity> {
  const provider = providerOf(id);
  if (!provider) throw refuse("identity_not_configured");
  const claims = await signedClaims(provider, token);
  checkAudience(provider, claims);
  if (nonce && claims.nonce !== nonce && claims.nonce !== digest(nonce).toString("hex"))
    throw refuse("identity_token_invalid");
  const address = emailSchema.safeParse(claims.email);
  if (!address.success || !isPlain(claims.email)) throw refuse("identity_without_email");
  if (claims.email_verified !== true && claims.email_verified !== "true")
    throw refuse("identity_email_unverified");
  return {
    provider: id,
    issuer: provider.issuers[0],
    subject: claims.sub!,
    email: address.data,
    name: readName(claims.name),
    avatarUrl: readPicture(claims.picture, provider),
    tokenHash: digest(token.slice(0, token.lastIndexOf("."))),
  };
}

/**
 * Other spellings may belong to another person than the matching account: a full-width `＠`, an invisible
 * character.
 */
function isPlain(address: unknown): boolean {
  if (typeof address !== "string" || emailText(address) !== address) return false;
  const [domain, ascii] = [address, emailKey(address)].map((each) => each.slice(each.lastIndexOf("@") + 1));
  return [ascii, domainToUnicode(ascii!)].includes(domain!.toLowerCase());
}

async function signedClaims(provider: Provider, token: string): Promise<JWTPayload> {
  try {
    const header = decodeProtectedHeader(token);
    const { kid, typ, alg } = header;
    const isRefused = REFUSED_HEADERS.some((name) => name in header);
    const isJwt = typ === undefined || (typeof typ === "string" && typ.toUpperCase() === "JWT");
    if (isRefused || !isJwt || typeof kid !== "string" || !ALGORITHMS.includes(alg ?? ""))
      throw refuse("identity_token_invalid");
    const { keys } = provider;
    const key =
      "local" in keys ? (keys.local.kid === kid ? keys.local : undefined) : await keyFor(keys.url, header);
    if (!key) throw refuse("identity_token_invalid");
    const { payload } = await jwtVerify(token, key, {
      algorithms: ALGORITHMS,
      issuer: provider.issuers,
      clockTolerance: LEEWAY,
      maxTokenAge: MAX_AGE,
      requiredClaims: ["exp", "iat", "sub"],
    });
    if (typeof payload.sub !== "string" || !/^[\x21-\x7e]{1,255}$/.test(payload.sub))
      throw refuse("identity_token_invalid");
    return payload;
  } catch (error) {
    // A key that does not fit the algorithm is a TypeError: the token named the wrong one.
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw refuse("identity_token_invalid", { cause: error });
    throw error;
  }
}

/** The token must be for us alone: another audience or authorised party could replay it. */
function checkAudience({ clientIds }: Provider, { aud, azp }: JWTPayload): void {
  const ours = (value: unknown) => typeof value === "string" && clientIds.includes(value);
  const audiences = [aud].flat();
  if (audiences.length === 0 || !audiences.every(ours) || (azp !== undefined && !ours(azp)))
    throw refuse("identity_audience_wrong");
}

function readName(value: unknown): string | null {
  return line({ max: 255 }).safeParse(typeof value === "string" ? value.trim() : value).data ?? null;
}

function readPicture(value: unknown, { demo, issuers }: Provider): string | null {
  if (typeof value !== "string" || value.length > 2048 || !URL.canParse(value)) return null;
  const { protocol, href } = new URL(value);
  return protocol === "https:" || (demo && href.startsWith(issuers[0])) ? href : null;
}

/** Throws `identity_token_invalid` for a second use. */
export async function consumeIdToken({ db }: Pick<DbAccess, "db">, { tokenHash }: Identity): Promise<void> {
  const { count } = await db.usedIdToken.createMany({
    data: [{ tokenHash, expiresAt: fromNow((MAX_AGE + 2 * LEEWAY) * 1000) }],
    skipDuplicates: true,
  });
  if (count === 0) throw refuse("identity_token_invalid");
}
