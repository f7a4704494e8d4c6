import type { Context, UserActor } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { invalidCounted, refuse } from "@/server/core/errors";
import { mainHost, portalUrl } from "@/server/core/portal";
import { text } from "@/server/core/texts";
import { isoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/audit/service";
import { requireProof } from "@/server/domains/tokens/service/tokens";
import { type Work, withTransaction } from "@/server/infrastructure/database/transaction";
import type { deletePortal, getPortal, putPortal } from "../contract";

type Portal = Answer<typeof getPortal>["portal"];

interface Row {
  domain: string;
  brand_name: string;
  lock_customers: boolean;
  created_at: Date;
  customers_count: number;
}

/** Portals are the business of resellers. Throws `forbidden`. */
function requireReseller({ role }: UserActor): void {
  if (role !== "reseller") throw refuse("forbidden");
}

export async function read({ sql, actor }: Context<UserActor>): Promise<Answer<typeof getPortal>> {
  requireReseller(actor);
  return { success: true, portal: await portalOf({ sql }, actor.id) };
}

async function portalOf({ sql }: Pick<Work, "sql">, resellerId: number): Promise<Portal> {
  const [row] = await sql<Row>`
    select domain, brand_name, lock_customers, created_at,
           (select count(*)::int from users where reseller_id = ${resellerId}) as customers_count
      from reseller_portals where reseller_id = ${resellerId}`;
  return row ? { ...row, url: portalUrl(row.domain), created_at: isoMicros(row.created_at) } : null;
}

/** Throws `validation` for a domain that is taken, or this installation's own. */
export async function write(
  ctx: Context<UserActor>,
  { body }: Input<typeof putPortal>,
): Promise<Answer<typeof putPortal>> {
  requireReseller(ctx.actor);
  await requireProof(ctx);
  const { domain, brand_name: brand } = body;
  if (domain === mainHost()) throw invalidCounted("domain", "portal_domain_taken");
  return withTransaction(ctx, async (tx) => {
    const taken = await tx.sql`
      select 1 from reseller_portals where domain = ${domain} and reseller_id <> ${ctx.actor.id}`;
    if (taken.length > 0) throw invalidCounted("domain", "portal_domain_taken");
    await tx.sql`
      insert into reseller_portals (reseller_id, domain, brand_name, lock_customers)
      values (${ctx.actor.id}, ${domain}, ${brand}, ${body.lock_customers ?? false})
      on conflict (reseller_id) do update
        set domain = excluded.domain, brand_name = excluded.brand_name,
            lock_customers = case when ${body.lock_customers ?? null}::bool is null
                                  then reseller_portals.lock_customers else excluded.lock_customers end`.catch(
      domainTaken,
    );
    await audit(tx, {
      action: "portal.changed",
      object: { type: "User", id: ctx.actor.id },
      details: { domain },
    });
    const portal = await portalOf(tx, ctx.actor.id);
    return { success: true as const, message: text(ctx.locale, "answers.portal_saved"), portal };
  });
}

/** Two that want one domain at once: the index lets one through. */
function domainTaken(error: unknown): never {
  throw (error as { code?: string }).code === "23505"
    ? invalidCounted("domain", "portal_domain_taken")
    : error;
}

export async function remove(ctx: Context<UserActor>): Promise<Answer<typeof deletePortal>> {
  requireReseller(ctx.actor);
  await requireProof(ctx);
  await withTransaction(ctx, async (tx) => {
    const gone = await tx.sql`delete from reseller_portals where reseller_id = ${ctx.actor.id} returning id`;
    if (gone.length === 0)
      throw refuse("record_not_found", { params: { model: "ResellerPortal", id: ctx.actor.id } });
    await audit(tx, { action: "portal.removed", object: { type: "User", id: ctx.actor.id } });
  });
  return { success: true, message: text(ctx.locale, "answers.portal_removed") };
}
