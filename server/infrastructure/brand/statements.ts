import * as z from "zod";
import { statement } from "@/server/infrastructure/database/statement";

const BrandRow = z.strictObject({
  resellerId: z.int(),
  name: z.string().nullable(),
  color: z.string().nullable(),
  logo: z.string().nullable(),
  logoDark: z.string().nullable(),
  icon: z.string().nullable(),
  supportEmail: z.string().nullable(),
  supportPhone: z.string().nullable(),
  domain: z.string().nullable(),
});

/** Used for every mail and page: four lookups by key, for which Prisma needs three round trips. */
export const findBrandForAccount = statement(BrandRow, { short: true })<{ userId: number }>`
  select r.id as "resellerId", b.product_name as name, b.color, b.logo_path as logo, b.logo_dark_path as "logoDark",
         b.icon_path as icon, b.support_email as "supportEmail", b.support_phone as "supportPhone", p.domain
    from users u
    left join users above on above.id = u.parent_user_id
    join users r on r.role = 'reseller' and r.id = case when u.role = 'reseller' then u.id else
      coalesce(u.reseller_id, case when above.role = 'reseller' then above.id else above.reseller_id end) end
    left join brands b on b.user_id = r.id
    left join reseller_portals p on p.reseller_id = r.id and p.verified_at is not null and r.is_active
   where u.id = ${({ userId }) => userId}::int and u.role <> 'admin'`;

/** Used for every signed-out page. */
export const findBrandForHost = statement(BrandRow, { short: true })<{ host: string }>`
  select r.id as "resellerId", b.product_name as name, b.color, b.logo_path as logo, b.logo_dark_path as "logoDark",
         b.icon_path as icon, b.support_email as "supportEmail", b.support_phone as "supportPhone", p.domain
    from reseller_portals p
    join users r on r.id = p.reseller_id and r.role = 'reseller'
    left join brands b on b.user_id = r.id
   where p.domain = ${({ host }) => host} and p.verified_at is not null`;

/** Used for mails, and for the gates of signing in, where Prisma is not available. */
export const findSupportContact = statement(z.strictObject({ value: z.unknown() }), { short: true })`
  select value from settings where key = 'support_contact'`;
