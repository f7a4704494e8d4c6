import { env } from "@/server/core/env";
import { toPlainName } from "@/server/core/plain-name";
import {
  type Brand,
  getConfiguredSupport,
  getPlatformBrand,
  getResellerBrand,
  type ResellerBrand,
} from "@/server/infrastructure/brand/brand";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { SmtpAccount } from "./smtp";

export const ACCOUNT_PAUSE_MINUTES = 15;

/** Possible senders, nearest first (docs/contract.md 4.2). */
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

/** `brandOf`: account whose brand a recipient without an account sees, such as the inviting one. */
interface RecipientAccount {
  userId: number | null;
  brandOf?: number;
}

/**
 * Returns senders by preference: parent, reseller, site, platform. Mails to administrators use the platform
 * only, because operators of a mail server can read their links.
 */
export async function findSenders(
  { sql }: Pick<DbAccess, "sql">,
  recipient: RecipientAccount,
): Promise<Sender[]> {
  const { userId } = recipient;
  const brand = await findRecipientBrand({ sql }, recipient);
  const rows = await sql<MailAccountRow>`
    with person as (
      select p.id as parent_id,
             coalesce(u.reseller_id, case when p.role = 'reseller' then null else p.reseller_id end) as reseller_id,
             coalesce(u.assigned_site_id, (select min(id) from sites where user_id = u.id and deleted_at is null)) as site_id
        from (select 1) as one
        left join users u on u.id = ${userId}::int and u.role <> 'admin'
        left join users p on p.id = u.parent_user_id
    ), levels as (
      select 1 as place, 'parent' as via, a.* from person join mail_accounts a on a.user_id = person.parent_id
      union all
      select 2, 'reseller', a.* from person join mail_accounts a on a.user_id = person.reseller_id
      union all
      select 3, 'site', a.* from person join mail_accounts a on a.site_id = person.site_id
    )
    select l.id, l.via, l.from_name, l.from_address, l.host, l.port, l.secure, l.username, l.password_sealed,
           s.name as site_name
      from levels l left join users h on h.id = l.user_id left join sites s on s.id = l.site_id
     where l.verified_at is not null and coalesce(h.is_active, true)
       and (l.via <> 'reseller' or h.role = 'reseller')
       and (l.failed_at is null or l.failed_at < now() - make_interval(mins => ${ACCOUNT_PAUSE_MINUTES}))
     order by l.place`;
  return [...rows.map((row) => toAccountSender(row, brand)), await toSystemSender({ sql }, brand)];
}

/** Returns the platform's mail server as sender, under the brand of the recipient's reseller. */
export async function getPlatformSender(
  access: Pick<DbAccess, "sql">,
  recipient: RecipientAccount,
): Promise<Sender> {
  return toSystemSender(access, await findRecipientBrand(access, recipient));
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

async function toSystemSender(
  access: Pick<DbAccess, "sql">,
  recipientBrand: ResellerBrand | null,
): Promise<Sender> {
  const platform = getPlatformBrand();
  const brand = recipientBrand
    ? { ...recipientBrand, name: recipientBrand.name ?? platform.name }
    : { ...platform, supportEmail: (await getConfiguredSupport(access))?.email };
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
