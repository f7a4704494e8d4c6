import type { Context } from "@/server/core/context";
import { text } from "@/server/core/texts";
import { brandAt, supportUnder } from "@/server/infrastructure/brand/brand";
import type { Contact } from "../contract";
import { findContact } from "../statements";
import type { FoundCandidate } from "./candidate";

/**
 * Returns who can help a passive account, or an agent of one, by the same cascade as mail: parent, reseller, owner of the assigned site,
 * else the platform, under the name and with the support of the portal where the person signs in. A reseller answers
 * at the support that the brand names.
 */
export async function contactFor(
  ctx: Pick<Context, "sql" | "locale" | "host">,
  user: Pick<FoundCandidate, "is_active" | "parent_user_id" | "reseller_id" | "assigned_site_id">,
): Promise<Contact> {
  const [found] = await findContact(ctx, {
    parentId: user.parent_user_id,
    resellerId: user.reseller_id,
    siteId: user.assigned_site_id,
  });
  const helps = user.is_active ? "employer" : (found?.source ?? "system");
  const message = text(ctx.locale, `responses.contact.${helps}`);
  if (found) return { ...found, message };
  const brand = await brandAt(ctx, ctx.host);
  const { supportEmail: email = null, supportPhone: phone = null } = brand;
  const own = email || phone ? { email, phone } : await supportUnder(ctx, brand);
  return { source: "system", name: brand.name, ...own, message };
}
