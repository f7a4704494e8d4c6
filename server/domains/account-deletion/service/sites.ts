import { randomBytes } from "node:crypto";
import type { Work } from "@/server/infrastructure/database/transaction";

/**
 * Takes the sites of an account out of service. Their rows stay, because licences and subscriptions refer to them, but
 * without a text, an address or a key that works; their old domains are free.
 */
export async function stripSites({ sql }: Pick<Work, "sql">, userId: number): Promise<void> {
  const sites = await sql<{
    id: number;
  }>`select id from sites where user_id = ${userId} order by id for update`;
  if (sites.length === 0) return;
  const ids = sites.map(({ id }) => id);
  await sql`delete from external_keys where site_id = any(${ids}::int[])`;
  await sql`delete from mail_accounts where site_id = any(${ids}::int[])`;
  await sql`delete from invitations where site_id = any(${ids}::int[])`;
  // An agent of another account's team who was bound to one of them reaches nothing any more.
  await sql`
    update users set assigned_site_id = null, is_active = false, updated_at = now()
     where assigned_site_id = any(${ids}::int[]) and is_agent_only`;
  await sql`
    update sites s
       set name = 'Silinmiş site', domain = 'deleted-' || s.id || '.invalid', is_active = false,
           api_key_hash = dead.hash, api_key_sealed = '', api_key_last_four = '',
           system_prompt = '', welcome_message = '', bot_name = '', ai_enabled = false,
           widget_color = '#4F46E5', widget_position = 'bottom-right',
           ai_provider_key_sealed = null, ai_provider_key_last_four = null, updated_at = now()
      from unnest(${ids}::int[], ${ids.map(() => randomBytes(32))}::bytea[]) as dead(id, hash)
     where s.id = dead.id`;
}
