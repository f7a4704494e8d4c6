import type { Work } from "@/server/infrastructure/database/transaction";
import type { Candidate } from "./gates";

type Found = Candidate & { password_hash: string | null };

/** The account behind an address or a number, with all that sign-in needs to know of it. */
export async function findCandidate(
  { sql }: Pick<Work, "sql">,
  { id, key }: { id?: number; key?: string },
): Promise<Found | undefined> {
  const [user] = await sql<Found>`
    select id, name, email, phone, role, is_active, credits, allowed_modules, assigned_site_id, is_agent_only,
           reseller_id, parent_user_id, locale, email_verified_at is not null as email_verified, password_hash,
           exists (select from factors where user_id = users.id and confirmed_at is not null) as has_second_factor
      from users where email_key = ${key ?? null} or id = ${id ?? null}`;
  return user;
}
