import { PendingIdentity } from "@/server/domains/access/sign-in/service/pending-identity";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { sealPayload } from "@/server/infrastructure/secrets/seal";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { appleClient, type Grant } from "../apple.provider";
import { CODE_PURPOSE, GRANT_PURPOSE, storeGrant } from "./grant";
import { providerOf } from "./providers";
import type { Identity } from "./verify";

/** Stores an identity with its pending sign-in; the account is linked only after the second factor. */
export async function storePendingIdentity(
  work: DbAccess,
  interimToken: string,
  { provider, issuer, subject, email }: Identity,
  code?: string | null,
): Promise<void> {
  const identity: PendingIdentity = { provider, issuer, subject, email, grant: null };
  await work.db.interimToken.updateMany({ where: { tokenHash: digest(interimToken) }, data: { identity } });
  if (!code) return;
  if (!appleClient()) return keepWaitingGrant(work, interimToken, { authorization_code: code });
  await addJob(work, "exchange_apple_code", {
    waiting: sealPayload({ subject, interimToken } satisfies PendingExchange, CODE_PURPOSE),
    sealed: sealPayload(code, CODE_PURPOSE),
  });
}

export interface PendingExchange {
  subject: string;
  interimToken: string;
}

/** Stores a grant with the pending identity, unless the sign-in is over. */
async function keepWaitingGrant(
  { db }: Pick<DbAccess, "db">,
  interimToken: string,
  grant: Grant,
): Promise<void> {
  const where = { tokenHash: digest(interimToken) };
  const pending = PendingIdentity.safeParse((await db.interimToken.findUnique({ where }))?.identity);
  if (!pending.success) return;
  const identity = { ...pending.data, grant: sealPayload(grant, GRANT_PURPOSE) };
  await db.interimToken.updateMany({ where, data: { identity } });
}

export async function storeRefreshToken(
  work: Pick<DbAccess, "db">,
  { subject, token, interimToken }: Partial<PendingExchange> & { subject: string; token: string },
): Promise<void> {
  const issuer = providerOf("apple")?.issuers[0];
  if (!issuer) return;
  const identity = await work.db.externalIdentity.findUnique({
    where: { provider_issuer_subject: { provider: "apple", issuer, subject } },
    select: { id: true },
  });
  if (identity) return storeGrant(work, identity.id, { refresh_token: token });
  if (interimToken) await keepWaitingGrant(work, interimToken, { refresh_token: token });
}
