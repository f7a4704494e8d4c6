import type { Context } from "@/server/core/context";
import { env } from "@/server/core/env";
import { text } from "@/server/core/texts";
import { brandAt } from "@/server/infrastructure/brand/brand";
import type { Contact } from "../contract";
import { findContact } from "../statements";

/**
 * Returns who can help a passive account, by the same cascade as mail: parent, reseller, owner of the assigned site,
 * else the platform, under the name of the portal where the person signs in.
 */
export async function contactFor(
  ctx: Pick<Context, "sql" | "locale" | "host">,
  user: { parent_user_id: number | null; reseller_id: number | null; assigned_site_id: number | null },
): Promise<Contact> {
  const [found] = await findContact(ctx, {
    parentId: user.parent_user_id,
    resellerId: user.reseller_id,
    siteId: user.assigned_site_id,
  });
  const message = text(ctx.locale, `responses.contact.${found?.source ?? "system"}`);
  if (found) return { ...found, message };
  const { name } = await brandAt(ctx, ctx.host);
  return { source: "system", name, email: env().SUPPORT_EMAIL, phone: null, message };
}
