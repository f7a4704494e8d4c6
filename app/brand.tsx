import "server-only";
import { headers } from "next/headers";
import { type CSSProperties, cache } from "react";
import { buildThemedVariables } from "@/components/tenancy/brands/brand-variables";
import type { BrandProps } from "@/components/ui/logo";
import { getFirstCharacter } from "@/server/core/graphemes";
import {
  type Brand,
  getAccountBrand,
  getBrandSupportContact,
  getHostBrand,
  getPlatformBrand,
} from "@/server/infrastructure/brand/brand";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { getSetting } from "@/server/infrastructure/settings";
import { getRequestHost } from "@/server/transports/request-origin";
import { getCurrentUser } from "@/server/transports/trpc/caller";

/** Returns the host from the `Host` header. Ignores forwarded hosts. */
export async function getPageHost(): Promise<string | null> {
  const requestHeaders = await headers();
  return getRequestHost({ header: (name) => (name === "host" ? requestHeaders.get(name) : null) });
}

/** Returns the brand of the account's reseller, or of the host before sign-in; on errors the platform's. */
export const getPageBrand = cache(async (): Promise<Brand> => {
  try {
    const [profile, host] = await Promise.all([getCurrentUser(), getPageHost()]);
    return await (profile
      ? getAccountBrand(withoutTransaction(), profile.user.id)
      : getHostBrand(withoutTransaction(), host));
  } catch {
    return getPlatformBrand();
  }
});

/** Returns the support contact of the signed-in account; resellers contact the platform. */
export async function getSupportContact(): ReturnType<typeof getBrandSupportContact> {
  const [profile, brand] = await Promise.all([getCurrentUser(), getPageBrand()]);
  return getBrandSupportContact(
    withoutTransaction(),
    profile && brand.resellerId === profile.user.id ? getPlatformBrand() : brand,
  );
}

/** Returns the support contact of signed-out pages. A reseller's page never shows the platform's contact. */
export async function getPublicSupportContact(): Promise<{
  email?: string | null;
  phone?: string | null;
  url?: string | null;
}> {
  const { supportEmail: email, supportPhone: phone, resellerId } = await getPageBrand();
  if (email || phone || resellerId !== undefined) return { email, phone };
  return (await getSetting(withoutTransaction(), "support_contact").catch(() => null)) ?? {};
}

export function toBrandProps({ name, logo, logoDark, icon, resellerId }: Brand): BrandProps {
  return { name, logo, logoDark, icon, isResellerBrand: resellerId !== undefined };
}

/** Returns the favicon: the reseller's icon, else an initial in the reseller's colour. */
export function getBrandIcon({ icon, name, palette, resellerId }: Brand): string {
  if (icon) return icon;
  if (resellerId === undefined) return "/icon.svg";
  // Fallback: the light primary colours of globals.css, in hexadecimal.
  const { fill, foreground } = palette?.light ?? { fill: "#3655cd", foreground: "#ffffff" };
  const letter = getFirstCharacter(name).replace(/[&<>]/, "");
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${fill}"/>` +
      `<text x="16" y="22.5" text-anchor="middle" font-family="sans-serif" font-weight="600" font-size="18" fill="${foreground}">${letter}</text></svg>`,
  )}`;
}

/** Style of the root element: the reseller's colours instead of those of `globals.css`. */
export async function getBrandStyle(): Promise<CSSProperties | undefined> {
  const { palette } = await getPageBrand();
  return palette ? buildThemedVariables(palette) : undefined;
}
