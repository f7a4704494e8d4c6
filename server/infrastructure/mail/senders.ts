import { env } from "@/server/core/env";
import { toPlainName } from "@/server/core/plain-name";
import {
  type Brand,
  getConfiguredSupportContact,
  getPlatformBrand,
  getResellerBrand,
  type ResellerBrand,
} from "@/server/infrastructure/brand/brand";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { SmtpAccount } from "./smtp";

export const MAIL_ACCOUNT_PAUSE_MINUTES = 15;

/** Possible senders, nearest first (docs/contract.md 4.2). `system` is the platform. */
type SenderLevel = "parent" | "reseller" | "site" | "system";

export interface Sender {
  via: SenderLevel;
  brand: Brand;
  /** Undefined for the platform's mail server. */
  mailAccount?: SmtpAccount & { id: number; from: { name: string; address: string } };
}

interface MailAccountRow extends SmtpAccount {
  id: number;
  via: Exclude<SenderLevel, "system">;
  from_name: string;
  from_address: string;
  site_name: string | null;
}

/** `brandOf`: for a recipient without an account, whose brand the mail carries, for example the inviter's. */
interface RecipientAccount {
  userId: number | null;
  brandOf?: number;
}

/**
 * Returns senders by preference: parent, reseller, site, platform. Mails to administrators use the platform
 * only, because operators of a mail server can read the links in mails. The site is the assigned one or else
 * the user's oldest; its mail account belongs to no user.
 */
export async function findMailSenders(
  { sql }: Pick<DbAccess, "sql">,
  recipient: RecipientAccount,
): Promise<Sender[]> {
  const { userId } = recipient;
  const brand = await findRecipientBrand({ sql }, recipient);
  const rows = await sql<MailAccountRow>`
    with person as (
      select parent.id as parent_id,
             coalesce(u.reseller_id,
                      case when parent.role = 'reseller' then null else parent.reseller_id end) as reseller_id,
             coalesce(u.assigned_site_id, (select min(id) from sites where user_id = u.id and deleted_at is null)) as site_id
        from (select 1) as single_row
        left join users u on u.id = ${userId}::int and u.role <> 'admin'
        left join users parent on parent.id = u.parent_user_id
    ), levels as (
      select 1 as rank, 'parent' as via, a.* from person join mail_accounts a on a.user_id = person.parent_id
      union all
      select 2, 'reseller', a.* from person join mail_accounts a on a.user_id = person.reseller_id
      union all
      select 3, 'site', a.* from person join mail_accounts a on a.site_id = person.site_id
    )
    select l.id, l.via, l.from_name, l.from_address, l.host, l.port, l.secure, l.username, l.password_sealed,
           s.name as site_name
      from levels l left join users holder on holder.id = l.user_id left join sites s on s.id = l.site_id
     where l.verified_at is not null and coalesce(holder.is_active, true)
       and (l.via <> 'reseller' or holder.role = 'reseller')
       and (l.failed_at is null or l.failed_at < now() - make_interval(mins => ${MAIL_ACCOUNT_PAUSE_MINUTES}))
     order by l.rank`;
  return [...rows.map((row) => toAccountSender(row, brand)), await buildPlatformSender({ sql }, brand)];
}

/** Returns the platform's mail server as sender, under the brand of the recipient's reseller. */
export async function getPlatformSender(
  access: Pick<DbAccess, "sql">,
  recipient: RecipientAccount,
): Promise<Sender> {
  return buildPlatformSender(access, await findRecipientBrand(access, recipient));
}

/** Returns null for a mail to the reseller: it carries the platform's brand. */
async function findRecipientBrand(
  access: Pick<DbAccess, "sql">,
  { userId, brandOf }: RecipientAccount,
): Promise<ResellerBrand | null> {
  const brandUserId = userId ?? brandOf;
  const brand = brandUserId === undefined ? null : await getResellerBrand(access, brandUserId);
  return brand && brand.resellerId !== userId ? brand : null;
}

async function buildPlatformSender(
  access: Pick<DbAccess, "sql">,
  recipientBrand: ResellerBrand | null,
): Promise<Sender> {
  const platform = getPlatformBrand();
  const brand = recipientBrand
    ? { ...recipientBrand, name: recipientBrand.name ?? platform.name }
    : { ...platform, supportEmail: (await getConfiguredSupportContact(access))?.email };
  return { via: "system", brand };
}

function toAccountSender(row: MailAccountRow, recipientBrand: ResellerBrand | null): Sender {
  const { id, via, host, port, secure, username, password_sealed } = row;
  const name = row.site_name ?? row.from_name;
  const brand = recipientBrand
    ? { ...recipientBrand, name: recipientBrand.name ?? name }
    : { name, url: env().APP_URL };
  const from = { name: toPlainName(row.from_name), address: row.from_address };
  return { via, brand, mailAccount: { id, host, port, secure, username, password_sealed, from } };
}
