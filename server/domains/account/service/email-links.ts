import type { Context } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { isAppError, refuse } from "@/server/core/errors";
import { isLocale } from "@/server/core/locale";
import { maskEmail } from "@/server/core/mask";
import { text } from "@/server/core/texts";
import { fromNow, HOUR, isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { revokeAll } from "@/server/domains/tokens/service/tokens";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { digest, isToken, newToken } from "@/server/infrastructure/secrets/tokens";
import { type confirmEmailChange, UNDO_HOURS, type undoEmailChange } from "../contract";
import { endLinks, takeAddress, tellOldAddress } from "./email";

/**
 * Takes a change back from the old address: its verified state returns, later changes are void, and
 * whatever was signed in is not any more. The link is spent by the statement that reads it.
 */
export async function undo(
  ctx: Context,
  { body }: Input<typeof undoEmailChange>,
): Promise<Answer<typeof undoEmailChange>> {
  if (!isToken(body.token, "dsc")) throw refuse("email_change_invalid");
  return withTransaction(ctx, async (tx) => {
    const [change] = await tx.sql<{
      id: number;
      user_id: number;
      old_email: string;
      old_verified: Date | null;
      name: string;
      locale: string | null;
    }>`
      update email_changes c set undone_at = now() from users u
       where c.token_hash = ${digest(body.token)} and c.applied_at is not null and c.undone_at is null
         and c.expires_at > now() and u.id = c.user_id and u.anonymised_at is null
      returning c.id, c.user_id, c.old_email, c.old_verified, u.name, u.locale`;
    if (!change) throw refuse("email_change_invalid");
    await takeAddress(tx, change.user_id, change.old_email, change.old_verified).catch(noLongerPossible);
    await tx.sql`
      update email_changes set undone_at = now()
       where user_id = ${change.user_id} and undone_at is null and (id > ${change.id} or applied_at is null)`;
    await endLinks(tx, change.user_id);
    await revokeAll(tx, change.user_id);
    await audit(tx, {
      action: "profile.email_change_undone",
      object: { type: "User", id: change.user_id },
      actorId: change.user_id,
    });
    await queueMail(
      tx,
      { userId: change.user_id, address: change.old_email },
      {
        template: "email_change_undone",
        locale: isLocale(change.locale) ? change.locale : ctx.locale,
        params: { name: change.name },
        path: "/forgot-password",
      },
    );
    return {
      success: true as const,
      message: text(ctx.locale, "answers.email_change_undone"),
      masked_email: maskEmail(change.old_email),
    };
  });
}

/** Somebody else has the old address, although it was kept free: the link leads nowhere. */
function noLongerPossible(error: unknown): never {
  throw isAppError(error) ? refuse("email_change_invalid") : error;
}

/**
 * The new address confirms; only now it is the account's. The same row then becomes the way back: its
 * link is replaced by the one that the old address is mailed.
 */
export async function confirm(
  ctx: Context,
  { body }: Input<typeof confirmEmailChange>,
): Promise<Answer<typeof confirmEmailChange>> {
  if (!isToken(body.token, "dsc")) throw refuse("email_change_invalid");
  const now = new Date();
  const token = newToken("dsc");
  return withTransaction(ctx, async (tx) => {
    const [change] = await tx.sql<{
      id: number;
      user_id: number;
      old_email: string;
      old_verified: Date | null;
      new_email: string;
      name: string;
      locale: string | null;
    }>`
      update email_changes c
         set applied_at = now(), token_hash = ${digest(token)}, expires_at = ${fromNow(UNDO_HOURS * HOUR)},
             old_email = u.email, old_email_key = u.email_key, old_verified = u.email_verified_at
        from users u
       where c.token_hash = ${digest(body.token)} and c.applied_at is null and c.undone_at is null
         and c.expires_at > now() and u.id = c.user_id and u.anonymised_at is null
      returning c.id, c.user_id, c.old_email, c.old_verified, c.new_email, u.name, u.locale`;
    if (!change) throw refuse("email_change_invalid");
    await takeAddress(tx, change.user_id, change.new_email, now);
    await endLinks(tx, change.user_id);
    await audit(tx, {
      action: "profile.email_changed",
      object: { type: "User", id: change.user_id },
      actorId: change.user_id,
    });
    if (change.old_verified) {
      const old = { id: change.user_id, name: change.name, email: change.old_email };
      const locale = isLocale(change.locale) ? change.locale : ctx.locale;
      await tellOldAddress({ sql: tx.sql, locale }, old, { email: change.new_email, token });
    } else {
      await tx.sql`delete from email_changes where id = ${change.id}`;
    }
    return {
      success: true as const,
      message: text(ctx.locale, "answers.email_verified"),
      masked_email: maskEmail(change.new_email),
      email_verified_at: isoMicros(now),
    };
  });
}
