import * as z from "zod";
import type { Role } from "@/server/core/context";
import { statement } from "@/server/infrastructure/database/statement";

const RelevantPortal = z.strictObject({
  domain: z.string(),
  brandName: z.string(),
  lockCustomers: z.boolean(),
  /** True for the reseller and the reseller's team, false for customers. */
  isStaff: z.boolean(),
  isAtHost: z.boolean(),
  isOwn: z.boolean(),
});
interface SignInAccount {
  host: string;
  id: number;
  role: Role;
  resellerId: number | null;
  parentId: number | null;
}

/** Loads the portal at this host and the portal of the account's reseller, for every sign-in. */
export const listRelevantPortals = statement(RelevantPortal)<SignInAccount>`
  with above as (
    select case when ${({ role }) => role}::text = 'reseller' then ${({ id }) => id}::int
                else coalesce(${({ resellerId }) => resellerId}::int, case when p.role = 'reseller' then p.id else p.reseller_id end)
           end as reseller_id,
           ${({ role }) => role}::text = 'reseller'
             or (${({ resellerId }) => resellerId}::int is null and coalesce(p.role = 'reseller', false)) as staff
      from (select 1) as one left join users p on p.id = ${({ parentId }) => parentId}::int
  )
  select p.domain, coalesce(b.product_name, r.name) as "brandName", p.lock_customers as "lockCustomers", above.staff as "isStaff",
         p.domain = ${({ host }) => host} as "isAtHost", p.reseller_id is not distinct from above.reseller_id as "isOwn"
    from above, reseller_portals p join users r on r.id = p.reseller_id left join brands b on b.user_id = p.reseller_id
   where p.verified_at is not null and r.is_active and (p.domain = ${({ host }) => host} or p.reseller_id = above.reseller_id)`;

/** A signature is valid until a newer text becomes required. Raw SQL: site creation has no Prisma. */
export const findAgreement = statement(z.strictObject({ signed: z.boolean() }))<{ userId: number }>`
  select agreement_signed_at is not null and not exists (
           select from legal_texts t
            where t.key = 'agreement' and t.required_from <= now() and t.published_at > agreement_signed_at) as signed
    from resellers where user_id = ${({ userId }) => userId}`;
