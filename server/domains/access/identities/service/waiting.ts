import { WaitingIdentity } from "@/server/domains/access/sign-in/service/waiting-identity";
import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { sealPayload } from "@/server/infrastructure/secrets/seal";
import { digest } from "@/server/infrastructure/secrets/tokens";
import { appleClient, type Grant } from "../apple.provider";
import { CODE_PURPOSE, GRANT_PURPOSE, keepGrant } from "./grant";
import { providerOf } from "./providers";
import type { Identity } from "./verify";

/** Keeps an identity with the sign-in that waits for a second factor: until that is passed, the account is not linked. */
export async function keepWaiting(
  work: Work,
  interimToken: string,
  { provider, issuer, subject, email }: Identity,
  code?: string | null,
): Promise<void> {
  const identity: WaitingIdentity = { provider, issuer, subject, email, grant: null };
  await work.db.interimToken.updateMany({ where: { tokenHash: digest(interimToken) }, data: { identity } });
  if (!code) return;
  if (!appleClient()) return keepWaitingGrant(work, interimToken, { authorization_code: code });
  await addJob(work, "exchange_apple_code", {
    waiting: sealPayload({ subject, interimToken } satisfies Waiting, CODE_PURPOSE),
    sealed: sealPayload(code, CODE_PURPOSE),
  });
}

/** Whose code a job exchanges while its sign-in waits. */
export interface Waiting {
  subject: string;
  interimToken: string;
}

/** Keeps a grant with the identity that waits; a sign-in that is over needs none. */
async function keepWaitingGrant({ db }: Pick<Work, "db">, interimToken: string, grant: Grant): Promise<void> {
  const where = { tokenHash: digest(interimToken) };
  const waiting = WaitingIdentity.safeParse((await db.interimToken.findUnique({ where }))?.identity);
  if (!waiting.success) return;
  const identity = { ...waiting.data, grant: sealPayload(grant, GRANT_PURPOSE) };
  await db.interimToken.updateMany({ where, data: { identity } });
}

/**
 * Stores the refresh token of somebody who signs in with Apple, by their subject there, or with the sign-in that waits for a
 * second factor.
 */
export async function keepRefreshToken(
  work: Pick<Work, "db">,
  { subject, token, interimToken }: Partial<Waiting> & { subject: string; token: string },
): Promise<void> {
  const issuer = providerOf("apple")?.issuers[0];
  if (!issuer) return;
  const identity = await work.db.externalIdentity.findUnique({
    where: { provider_issuer_subject: { provider: "apple", issuer, subject } },
    select: { id: true },
  });
  if (identity) return keepGrant(work, identity.id, { refresh_token: token });
  if (interimToken) await keepWaitingGrant(work, interimToken, { refresh_token: token });
}
