import type { Context } from "@/server/core/context";
import { env } from "@/server/core/env";
import type { Contact } from "@/server/core/errors";
import { text } from "@/server/core/texts";

interface Found {
  source: "parent" | "reseller" | "site";
  name: string;
  email: string;
  phone: string | null;
}

/**
 * Who can help a passive account, by the chain that mail takes too: parent, reseller, owner of the
 * assigned site, else the platform.
 */
export async function contactFor(
  { sql, locale }: Pick<Context, "sql" | "locale">,
  user: { parent_user_id: number | null; reseller_id: number | null; assigned_site_id: number | null },
): Promise<Contact> {
  const [found] = await sql<Found>`
    select c.source, u.name, u.email, u.phone
      from (values ('parent', ${user.parent_user_id}::int, 1), ('reseller', ${user.reseller_id}::int, 2),
                   ('site', (select user_id from sites where id = ${user.assigned_site_id}::int), 3)) as c(source, id, place)
      join users u on u.id = c.id and u.is_active
     order by c.place limit 1`;
  const message = text(locale, `answers.contact.${found?.source ?? "system"}`);
  if (found) return { ...found, message };
  return { source: "system", name: env().APP_NAME, email: env().SUPPORT_EMAIL, phone: null, message };
}
