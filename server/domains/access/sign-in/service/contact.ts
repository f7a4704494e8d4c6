import type { Context } from "@/server/core/context";
import { formatText } from "@/server/core/texts";
import { getBrandSupportContact, getHostBrand } from "@/server/infrastructure/brand/brand";
import type { Contact } from "../contract";
import { findContact } from "../statements";
import type { CandidateRow } from "./candidate";

/** Falls back to the platform under the host's brand. Shows a reseller with its brand's support contact. */
export async function findAccountContact(
  ctx: Pick<Context, "sql" | "locale" | "host">,
  user: Pick<CandidateRow, "is_active" | "parent_user_id" | "reseller_id" | "assigned_site_id">,
): Promise<Contact> {
  const [contact] = await findContact(ctx, {
    parentId: user.parent_user_id,
    resellerId: user.reseller_id,
    siteId: user.assigned_site_id,
  });
  // An active user is refused because the employer is deactivated.
  const messageSource = user.is_active ? "employer" : (contact?.source ?? "system");
  const message = formatText(ctx.locale, `responses.contact.${messageSource}`);
  if (contact) return { ...contact, message };
  const brand = await getHostBrand(ctx, ctx.host);
  const { supportEmail: email = null, supportPhone: phone = null } = brand;
  const supportContact = email || phone ? { email, phone } : await getBrandSupportContact(ctx, brand);
  return { source: "system", name: brand.name, ...supportContact, message };
}
