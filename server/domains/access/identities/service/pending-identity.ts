import { PendingIdentity } from "@/server/domains/access/sign-in/service/pending-identity";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { sealPayload } from "@/server/infrastructure/secrets/seal";
import { hashSecret } from "@/server/infrastructure/secrets/tokens";
import { type AppleGrant, getAppleClient } from "../apple.provider";
import { APPLE_CODE_SEAL_PURPOSE, APPLE_GRANT_SEAL_PURPOSE, storeAppleGrant } from "./apple-grant";
import type { Identity } from "./id-token";
import { findProvider } from "./providers";

/** Stores an identity with its pending sign-in; the account is linked only after the second factor. */
export async function storePendingIdentity(
  access: DbAccess,
  interimToken: string,
  { provider, issuer, subject, email }: Identity,
  authorizationCode?: string | null,
): Promise<void> {
  const identity: PendingIdentity = { provider, issuer, subject, email, grant: null };
  await access.db.interimToken.updateMany({
    where: { tokenHash: hashSecret(interimToken) },
    data: { identity },
  });
  if (!authorizationCode) return;
  if (!getAppleClient())
    return storePendingAppleGrant(access, interimToken, { authorization_code: authorizationCode });
  await addJob(access, "exchange_apple_code", {
    waiting: sealPayload({ subject, interimToken } satisfies PendingAppleExchange, APPLE_CODE_SEAL_PURPOSE),
    sealed: sealPayload(authorizationCode, APPLE_CODE_SEAL_PURPOSE),
  });
}

/** Sealed in queued jobs: do not rename its fields. */
export interface PendingAppleExchange {
  subject: string;
  interimToken: string;
}

async function storePendingAppleGrant(
  { db }: Pick<DbAccess, "db">,
  interimToken: string,
  grant: AppleGrant,
): Promise<void> {
  const where = { tokenHash: hashSecret(interimToken) };
  const parsedIdentity = PendingIdentity.safeParse((await db.interimToken.findUnique({ where }))?.identity);
  if (!parsedIdentity.success) return;
  const identity = { ...parsedIdentity.data, grant: sealPayload(grant, APPLE_GRANT_SEAL_PURPOSE) };
  await db.interimToken.updateMany({ where, data: { identity } });
}

/** Stores the token with the linked identity or, before the second factor, with the pending sign-in. */
export async function storeAppleRefreshToken(
  access: Pick<DbAccess, "db">,
  { subject, token, interimToken }: Partial<PendingAppleExchange> & { subject: string; token: string },
): Promise<void> {
  const issuer = findProvider("apple")?.issuers[0];
  if (!issuer) return;
  const identity = await access.db.externalIdentity.findUnique({
    where: { provider_issuer_subject: { provider: "apple", issuer, subject } },
    select: { id: true },
  });
  if (identity) return storeAppleGrant(access, identity.id, { refresh_token: token });
  if (interimToken) await storePendingAppleGrant(access, interimToken, { refresh_token: token });
}
