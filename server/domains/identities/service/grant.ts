import type { Work } from "@/server/infrastructure/database/transaction";
import { addJob } from "@/server/infrastructure/jobs/queue";
import { seal, sealPayload, unseal } from "@/server/infrastructure/secrets/seal";
import { appleClient, revokeGrant } from "../apple.provider";
import { providerOf } from "./providers";

/** Seals what lies in `grant_sealed`: a {@link Grant} as JSON. */
export const GRANT_PURPOSE = "apple_grant";
export const CODE_PURPOSE = "apple_code";

/** What a later revocation at Apple shows. A code that was never exchanged is worth five minutes. */
export type Grant = { refresh_token: string } | { authorization_code: string };

/** Keeps an authorization code: a job exchanges it when Apple knows us as a server, else it is sealed as it is. */
export async function keepCode({ sql }: Pick<Work, "sql">, identityId: number, code: string): Promise<void> {
  if (appleClient()) {
    await addJob({ sql }, "exchange_apple_code", { identityId, sealed: sealPayload(code, CODE_PURPOSE) });
    return;
  }
  await keepGrant({ sql }, identityId, { authorization_code: code });
}

/** Keeps what the panel's own sign-in received, by Apple's name of the person. */
export async function keepRefreshToken(
  { sql }: Pick<Work, "sql">,
  subject: string,
  token: string,
): Promise<void> {
  const issuer = providerOf("apple")?.issuers[0];
  const [identity] = await sql<{ id: number }>`
    select id from external_identities where provider = 'apple' and issuer = ${issuer ?? null} and subject = ${subject}`;
  if (identity) await keepGrant({ sql }, identity.id, { refresh_token: token });
}

export async function keepGrant({ sql }: Pick<Work, "sql">, identityId: number, grant: Grant): Promise<void> {
  const sealed = Buffer.from(seal(JSON.stringify(grant), GRANT_PURPOSE));
  await sql`update external_identities set grant_sealed = ${sealed} where id = ${identityId}`;
}

/** Takes a kept grant back at Apple, after its account is gone. Throws when Apple is not reached or not configured. */
export async function revokeKept(sealed: Uint8Array): Promise<void> {
  const client = appleClient();
  if (!client) throw new Error("Apple is not configured");
  await revokeGrant(client, JSON.parse(unseal(sealed, GRANT_PURPOSE)) as Grant);
}
