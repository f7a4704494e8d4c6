import { inTransaction } from "@/server/infrastructure/database/transaction";

/** Suspends sites whose licence was not paid in time. */
export async function suspendUnpaidLicencesJob(): Promise<void> {
  await inTransaction(async (tx) => {
    const { sql } = tx;
    await sql`
      with late as (
        select l.site_id from site_licences l join sites s on s.id = l.site_id
         where l.status = 'pending' and l.pay_by < now() and s.is_active for update of s
      ), suspended as (
        update sites set is_active = false, updated_at = now() where id in (select site_id from late) returning id
      )
      insert into audit_events (actor_kind, action, object_type, object_id, details)
      select 'system', 'site.suspended', 'Site', id::text, '{"reason":"licence_unpaid"}'::jsonb from suspended`;
  });
}
