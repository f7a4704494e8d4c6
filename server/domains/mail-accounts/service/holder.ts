import type { Context, UserActor } from "@/server/core/context";
import { type MailFailure, refuse } from "@/server/core/errors";
import { isoMicros, MINUTE } from "@/server/core/time";
import { requireManageable } from "@/server/domains/sites/service/manageable";
import type { Work } from "@/server/infrastructure/database/transaction";
import { REST_MINUTES } from "@/server/infrastructure/mail/cascade";
import type { SmtpAccount } from "@/server/infrastructure/mail/smtp";
import type { MailAccount } from "../contract";

/** Whose account it is: a person's or a site's. */
export type Holder = { userId: number; siteId: null } | { userId: null; siteId: number };

export interface AccountRow extends SmtpAccount {
  id: number;
  from_name: string;
  from_address: string;
  verified_at: Date | null;
  failed_at: Date | null;
  error: MailFailure | null;
}

/** The caller himself, or a site whose settings are his. Agents have no account; throws `forbidden`. */
export async function holderOf(ctx: Context<UserActor>, siteId?: number): Promise<Holder> {
  if (siteId !== undefined) {
    await requireManageable(ctx, ctx.actor, siteId);
    return { userId: null, siteId };
  }
  if (ctx.actor.scope.onlySite !== null) throw refuse("forbidden");
  return { userId: ctx.actor.id, siteId: null };
}

export async function findAccount(
  { sql }: Pick<Work, "sql">,
  { userId, siteId }: Holder,
): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow>`
    select id, from_name, from_address, host, port, secure, username, password_sealed, verified_at, failed_at, error
      from mail_accounts where user_id = ${userId} or site_id = ${siteId}`;
  return row;
}

/** What may be known of an account: everything but its password. */
export function accountOf(row: AccountRow): MailAccount {
  const { from_name, from_address, host, port, secure, username } = row;
  const paused = row.failed_at && new Date(row.failed_at.getTime() + REST_MINUTES * MINUTE);
  return {
    from_name,
    from_address,
    host,
    port,
    secure,
    username,
    has_password: row.password_sealed !== null,
    verified_at: row.verified_at && isoMicros(row.verified_at),
    failed_at: row.failed_at && isoMicros(row.failed_at),
    error: row.error,
    paused_until: paused && paused > new Date() ? isoMicros(paused) : null,
  };
}
