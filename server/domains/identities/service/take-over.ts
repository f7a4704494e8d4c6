import { audit } from "@/server/domains/audit/service";
import { CONSENTS } from "@/server/domains/consents/contract";
import { recordConsents } from "@/server/domains/consents/service/record";
import { revokeAll } from "@/server/domains/tokens/service/tokens";
import { type Newcomer, nameOf, type Tx } from "./account";
import type { Identity } from "./verify";

/**
 * Gives an account with an unverified address to whoever has proved that the address is his. Whoever registered it
 * keeps nothing that opens it: no password, token, session, factor, passkey, link, device or waiting sign-in. What he
 * agreed to is withdrawn, because the owner has agreed to nothing yet.
 */
export async function takeOver(
  tx: Tx,
  userId: number,
  { identity, newcomer }: { identity: Identity; newcomer: Newcomer },
): Promise<void> {
  const { sql } = tx;
  await revokeAll(tx, userId);
  await sql`
    with factors as (delete from factors where user_id = ${userId}),
         recovery_codes as (delete from recovery_codes where user_id = ${userId}),
         passkeys as (delete from passkeys where user_id = ${userId}),
         ceremonies as (delete from passkey_challenges where user_id = ${userId}),
         verifications as (delete from email_verifications where user_id = ${userId}),
         resets as (delete from password_resets where user_id = ${userId}),
         changes as (delete from email_changes where user_id = ${userId}),
         deletions as (delete from deletion_requests where user_id = ${userId}),
         invitations as (delete from invitations where inviter_id = ${userId}),
         mail as (delete from mail_accounts where user_id = ${userId})
    update users
       set password_hash = null, name = ${nameOf(identity, newcomer)}, phone = null, provider = ${identity.provider},
           avatar_url = ${identity.avatarUrl}, email_verified_at = now(), updated_at = now()
     where id = ${userId}`;
  const nothing = Object.fromEntries(CONSENTS.map((key) => [key, false]));
  await recordConsents(tx, { userId, consents: { ...nothing, ...newcomer.consents }, source: "provider" });
  await audit(tx, {
    action: "account.claimed",
    object: { type: "User", id: userId },
    actorId: userId,
    details: { provider: identity.provider },
  });
}
