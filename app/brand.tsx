import "server-only";
import { headers } from "next/headers";
import { cache } from "react";
import type { BrandProps } from "@/components/ui/logo";
import type { BrandPalette } from "@/server/core/brand-colour";
import { firstCharacter } from "@/server/core/graphemes";
import {
  type Brand,
  brandFor,
  brandForHost,
  platformBrand,
  supportForBrand,
} from "@/server/infrastructure/brand/brand";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { setting } from "@/server/infrastructure/settings";
import { hostOf } from "@/server/transports/request-origin";
import { currentUser } from "@/server/transports/trpc/caller";

/** Returns the host from the `Host` header only. */
export async function hostOfPage(): Promise<string | null> {
  const requestHeaders = await headers();
  return hostOf({ header: (name) => (name === "host" ? requestHeaders.get(name) : null) });
}

/**
 * Returns the brand: by the account's reseller, before sign-in by the host. Errors fall back to the
 * platform's brand.
 */
export const brandOfPage = cache(async (): Promise<Brand> => {
  try {
    const [profile, host] = await Promise.all([currentUser(), hostOfPage()]);
    return await (profile
      ? brandFor(withoutTransaction(), profile.user.id)
      : brandForHost(withoutTransaction(), host));
  } catch {
    return platformBrand();
  }
});

/** Returns the support contact of the signed-in account; resellers contact the platform. */
export async function supportOfPage(): ReturnType<typeof supportForBrand> {
  const [profile, brand] = await Promise.all([currentUser(), brandOfPage()]);
  return supportForBrand(
    withoutTransaction(),
    profile && brand.resellerId === profile.user.id ? platformBrand() : brand,
  );
}

/** Returns the support contact of signed-out pages. A reseller's page never shows the platform's contact. */
export async function publicSupportOfPage(): Promise<{
  email?: string | null;
  phone?: string | null;
  url?: string | null;
}> {
  const { supportEmail: email, supportPhone: phone, resellerId } = await brandOfPage();
  if (email || phone || resellerId !== undefined) return { email, phone };
  return (await setting(withoutTransaction(), "support_contact").catch(() => null)) ?? {};
}

/** Picks what components need of a brand. */
export function brandPropsOf({ name, logo, logoDark, icon, resellerId }: Brand): BrandProps {
  return { name, logo, logoDark, icon, own: resellerId !== undefined };
}

/** Returns the favicon: the reseller's icon, else an initial in the reseller's colour. */
export function iconOf({ icon, name, palette, resellerId }: Brand): string {
  if (icon) return icon;
  if (resellerId === undefined) return "/icon.svg";
  const { fill, foreground } = palette?.light ?? { fill: "#3655cd", foreground: "#ffffff" };
  const letter = firstCharacter(name).replace(/[&<>]/, "");
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${fill}"/>` +
      `<text x="16" y="22.5" text-anchor="middle" font-family="sans-serif" font-weight="600" font-size="18" fill="${foreground}">${letter}</text></svg>`,
  )}`;
}

/** Overrides the colours of `globals.css` with the reseller's. */
export async function BrandStyle() {
  const [{ palette }, requestHeaders] = await Promise.all([brandOfPage(), headers()]);
  if (!palette) return null;
  return (
    <style nonce={requestHeaders.get("x-nonce") ?? undefined} suppressHydrationWarning>
      {coloursOf(palette)}
    </style>
  );
}

function coloursOf({ light, dark }: BrandPalette): string {
  const colourPair = (token: string, part: "fill" | "hover" | "foreground" | "soft" | "text") =>
    `--${token}:light-dark(${light[part]},${dark[part]})`;
  const tokens = [
    colourPair("primary", "fill"),
    colourPair("primary-hover", "hover"),
    colourPair("primary-fg", "foreground"),
    colourPair("primary-soft", "soft"),
    colourPair("primary-text", "text"),
    colourPair("ring", "fill"),
  ];
  // `:root:root` outranks `:root` in globals.css regardless of load order.
  return `:root:root{${tokens.join(";")}}`;
}
