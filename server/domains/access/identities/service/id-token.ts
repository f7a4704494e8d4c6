import { domainToUnicode } from "node:url";
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose";
import { createError } from "@/server/core/errors";
import { normaliseEmail } from "@/server/core/normalise";
import { email as emailSchema, textLine, toEmailKey } from "@/server/core/schema";
import { fromNow } from "@/server/core/time";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import type { IdentityProvider } from "../contract";
import { findSigningKey } from "../signing-keys.provider";
import { findProvider, type Provider } from "./providers";

/** A user at a provider, identified by `(provider, issuer, subject)`; everything else may change. */
export interface Identity {
  provider: IdentityProvider;
  issuer: string;
  subject: string;
  email: string;
  name: string | null;
  avatarUrl: string | null;
  /** Hash of the token without its signature, because a signature can be encoded in several ways. */
  tokenHash: Buffer<ArrayBuffer>;
}

const SIGNATURE_ALGORITHMS = ["RS256", "ES256"];
const CLOCK_LEEWAY_SECONDS = 60;
const MAX_TOKEN_AGE_SECONDS = 600;
/** Headers that would let a token choose how it is verified, or that mark another kind of token. */
const REFUSED_HEADERS = ["jwk", "jku", "x5u", "x5c", "crit", "b64", "enc", "zip", "cty"];

/** Verifies the token and its address. Does not consume the token: call {@link consumeIdToken}. */
export async function verifyIdToken(
  providerId: IdentityProvider,
  token: string,
  { nonce }: { nonce?: string | null } = {},
): Promise<Identity> {
  const provider = findProvider(providerId);
  if (!provider) throw createError("identity_not_configured");
  const claims = await readSignedClaims(provider, token);
  checkAudience(provider, claims);
  if (nonce && claims.nonce !== nonce && claims.nonce !== hashSecret(nonce).toString("hex"))
    throw createError("identity_token_invalid");
  const parsedEmail = emailSchema.safeParse(claims.email);
  if (!parsedEmail.success || !isPlainAddress(claims.email)) throw createError("identity_without_email");
  if (claims.email_verified !== true && claims.email_verified !== "true")
    throw createError("identity_email_unverified");
  return {
    provider: providerId,
    issuer: provider.issuers[0],
    subject: claims.sub!,
    email: parsedEmail.data,
    name: readName(claims.name),
    avatarUrl: readPictureUrl(claims.picture, provider),
    tokenHash: hashSecret(token.slice(0, token.lastIndexOf("."))),
  };
}

/** False for spellings such as a full-width `＠`: their owner may differ from the matching account's. */
function isPlainAddress(address: unknown): boolean {
  if (typeof address !== "string" || normaliseEmail(address) !== address) return false;
  const [domain, asciiDomain] = [address, toEmailKey(address)].map((spelling) =>
    spelling.slice(spelling.lastIndexOf("@") + 1),
  );
  return [asciiDomain, domainToUnicode(asciiDomain!)].includes(domain!.toLowerCase());
}

async function readSignedClaims(provider: Provider, token: string): Promise<JWTPayload> {
  try {
    const header = decodeProtectedHeader(token);
    const { kid, typ, alg } = header;
    const hasRefusedHeader = REFUSED_HEADERS.some((name) => name in header);
    const isJwt = typ === undefined || (typeof typ === "string" && typ.toUpperCase() === "JWT");
    if (hasRefusedHeader || !isJwt || typeof kid !== "string" || !SIGNATURE_ALGORITHMS.includes(alg ?? ""))
      throw createError("identity_token_invalid");
    const { keys } = provider;
    const key =
      "local" in keys
        ? keys.local.kid === kid
          ? keys.local
          : undefined
        : await findSigningKey(keys.url, header);
    if (!key) throw createError("identity_token_invalid");
    const { payload } = await jwtVerify(token, key, {
      algorithms: SIGNATURE_ALGORITHMS,
      issuer: provider.issuers,
      clockTolerance: CLOCK_LEEWAY_SECONDS,
      maxTokenAge: MAX_TOKEN_AGE_SECONDS,
      requiredClaims: ["exp", "iat", "sub"],
    });
    if (typeof payload.sub !== "string" || !/^[\x21-\x7e]{1,255}$/.test(payload.sub))
      throw createError("identity_token_invalid");
    return payload;
  } catch (error) {
    // jose throws a TypeError when the named key does not fit the algorithm.
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      throw createError("identity_token_invalid", { cause: error });
    throw error;
  }
}

/** The token must be for us alone: another audience or authorised party could replay it. */
function checkAudience({ clientIds }: Provider, { aud, azp }: JWTPayload): void {
  const isOurClient = (value: unknown) => typeof value === "string" && clientIds.includes(value);
  const audiences = [aud].flat();
  if (audiences.length === 0 || !audiences.every(isOurClient) || (azp !== undefined && !isOurClient(azp)))
    throw createError("identity_audience_wrong");
}

function readName(value: unknown): string | null {
  return textLine({ max: 255 }).safeParse(typeof value === "string" ? value.trim() : value).data ?? null;
}

function readPictureUrl(value: unknown, { isDemo, issuers }: Provider): string | null {
  if (typeof value !== "string" || value.length > 2048 || !URL.canParse(value)) return null;
  const { protocol, href } = new URL(value);
  return protocol === "https:" || (isDemo && href.startsWith(issuers[0])) ? href : null;
}

/** The row outlives the token, even if the provider's clock and ours differ by the leeway. */
export async function consumeIdToken({ db }: Pick<DbAccess, "db">, { tokenHash }: Identity): Promise<void> {
  const { count } = await db.usedIdToken.createMany({
    data: [{ tokenHash, expiresAt: fromNow((MAX_TOKEN_AGE_SECONDS + 2 * CLOCK_LEEWAY_SECONDS) * 1000) }],
    skipDuplicates: true,
  });
  if (count === 0) throw createError("identity_token_invalid");
}
