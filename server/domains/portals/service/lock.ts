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
  /** The person is the reseller, or of his own team: no customer. */
  staff: boolean;
  here: boolean;
  own: boolean;
}

/** Whose portal the client came by: who signs up there becomes that reseller's customer. Null at the main address. */
export async function resellerAt({ sql, host }: Pick<Context, "sql" | "host">): Promise<number | null> {
  if (host === null || host === mainHost()) return null;
  const [portal] = await sql<{ reseller_id: number }>`
    select p.reseller_id from reseller_portals p join users u on u.id = p.reseller_id
     where p.domain = ${host} and u.is_active and u.role = 'reseller'`;
  return portal?.reseller_id ?? null;
}

/** Where somebody has to sign in instead. */
export interface Elsewhere {
  url: string;
  brand: string;
}

/**
 * Gate 3 (contract 5, rule 7): a reseller's portal lets in that reseller and those below; a locked one is the only
 * door of his customers and of those below them. A host that is nobody's portal is the platform's own address.
 * Administrators pass everywhere.
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
                  else coalesce(${resellerId}::int, case when p.role = 'reseller' then p.id else p.reseller_id end)
             end as reseller_id,
             ${role}::text = 'reseller' or (${resellerId}::int is null and coalesce(p.role = 'reseller', false)) as staff
        from (select 1) as one left join users p on p.id = ${parentId}::int
    )
    select p.reseller_id, p.domain, p.brand_name, p.lock_customers, above.staff,
           p.domain = ${here} as here, p.reseller_id is not distinct from above.reseller_id as own
      from reseller_portals p, above
     where p.domain = ${here} or p.reseller_id = above.reseller_id`;
  const at = portals.find((portal) => portal.here);
  const own = portals.find((portal) => portal.own);
  if (at ? at.own : !own?.lock_customers || own.staff) return undefined;
  return own
    ? { url: portalUrl(own.domain), brand: own.brand_name }
    : { url: env().APP_URL, brand: env().APP_NAME };
}
