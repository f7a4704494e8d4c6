import type { Context, Role } from "@/server/core/context";
import { env } from "@/server/core/env";
import { mainHost, portalUrl } from "@/server/core/portal";

interface Person {
  id: number;
  role: Role;
  reseller_id: number | null;
  parent_user_id: number | null;
}

interface Portal {
  reseller_id: number;
  domain: string;
  brand_name: string;
  lock_customers: boolean;
  here: boolean;
  own: boolean;
}

/** Where somebody has to sign in instead. */
export interface Elsewhere {
  url: string;
  brand: string;
}

/**
 * Gate 3 (contract 5, rule 7): a reseller's portal lets in that reseller and those below; a locked one is the only
 * door of those below. A host that is nobody's portal is the platform's own address. Administrators pass everywhere.
 */
export async function lockedOut(
  { sql, host }: Pick<Context, "sql" | "host">,
  person: Person,
): Promise<Elsewhere | undefined> {
  const { id, role, reseller_id: resellerId, parent_user_id: parentId } = person;
  if (role === "admin") return undefined;
  const here = host ?? mainHost();
  // Most people belong to no reseller and come by the main address: nothing to look up.
  if (role === "user" && resellerId === null && parentId === null && here === mainHost()) return undefined;
  const portals = await sql<Portal>`
    with above as (
      select case when ${role}::text = 'reseller' then ${id}::int
                  else coalesce(${resellerId}::int, (
                    select case when role = 'reseller' then id else reseller_id end from users where id = ${parentId}::int))
             end as reseller_id
    )
    select p.reseller_id, p.domain, p.brand_name, p.lock_customers,
           p.domain = ${here} as here, p.reseller_id is not distinct from above.reseller_id as own
      from reseller_portals p, above
     where p.domain = ${here} or p.reseller_id = above.reseller_id`;
  const at = portals.find((portal) => portal.here);
  const own = portals.find((portal) => portal.own);
  if (at ? at.own : !own?.lock_customers || role === "reseller") return undefined;
  return own
    ? { url: portalUrl(own.domain), brand: own.brand_name }
    : { url: env().APP_URL, brand: env().APP_NAME };
}
