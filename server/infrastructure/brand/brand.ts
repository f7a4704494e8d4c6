import { type BrandPalette, buildBrandPalette } from "@/server/core/brand-colour";
import { env } from "@/server/core/env";
import { lazyValue } from "@/server/core/lazy-value";
import { toPlainName } from "@/server/core/plain-name";
import { buildPortalUrl, getMainHost } from "@/server/core/portal";
import { SETTINGS, type SettingValue } from "@/server/core/settings";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { findBrandForAccount, findBrandForHost, findSupportContact } from "./statements";

export interface Brand {
  name: string;
  url: string;
  palette?: BrandPalette | null;
  logo?: string | null;
  logoDark?: string | null;
  icon?: string | null;
  /** Missing: the platform's support contact. */
  supportEmail?: string | null;
  supportPhone?: string | null;
  /** Missing: the platform's brand. */
  resellerId?: number;
}

export interface ResellerBrand extends Omit<Brand, "name" | "resellerId"> {
  resellerId: number;
  name: string | null;
}

/** Returns the platform's brand. Links use APP_URL, never the host of the request. */
export function getPlatformBrand(): Brand {
  return { name: env().APP_NAME, url: env().APP_URL };
}

/** Returns a brand's name for mails and text messages, without links; APP_NAME is trusted and unchanged. */
export function getSenderName({ name }: Pick<Brand, "name">): string {
  const { APP_NAME } = env();
  return name === APP_NAME ? name : toPlainName(name) || APP_NAME;
}

type SqlAccess = Pick<DbAccess, "sql">;

/** Returns the brand of an account's reseller, or of the account if it is a reseller; null without one. */
export async function getResellerBrand(access: SqlAccess, userId: number): Promise<ResellerBrand | null> {
  const [row] = await findBrandForAccount(access, { userId });
  return row ? toResellerBrand(row) : null;
}

/** Returns the brand for an account's pages and messages: its reseller's, otherwise the platform's. */
export async function getAccountBrand(access: SqlAccess, userId: number): Promise<Brand> {
  return withPlatformFallback(await getResellerBrand(access, userId));
}

/** Returns the brand for signed-out pages: that of a portal with a verified domain, or the platform's. */
export async function getHostBrand(access: SqlAccess, host: string | null): Promise<Brand> {
  if (host === null || host === getMainHost()) return getPlatformBrand();
  const [row] = await findBrandForHost(access, { host });
  if (!row) portalNamesByHost().delete(host);
  return withPlatformFallback(row ? toResellerBrand(row) : null);
}

function withPlatformFallback(brand: ResellerBrand | null): Brand {
  return brand?.name
    ? { ...brand, name: brand.name }
    : { ...getPlatformBrand(), ...(brand && { url: brand.url }) };
}

const portalNamesByHost = lazyValue(() => new Map<string, string>());
const MAX_PORTAL_NAMES = 10_000;

/** Returns the name for a host without a database query, for outages; null for a portal not served before. */
export function getCachedPortalName(host: string | null): string | null {
  return host === getMainHost() ? env().APP_NAME : (portalNamesByHost().get(host ?? "") ?? null);
}

type BrandRow = Awaited<ReturnType<typeof findBrandForAccount>>[number];

function toResellerBrand({ domain, color, logo, logoDark, icon, ...row }: BrandRow): ResellerBrand {
  const { name } = row;
  const toUrlPath = (key: string | null) => key && `/${key}`;
  if (domain && name && (portalNamesByHost().has(domain) || portalNamesByHost().size < MAX_PORTAL_NAMES))
    portalNamesByHost().set(domain, name);
  return {
    ...row,
    url: domain ? buildPortalUrl(domain) : env().APP_URL,
    palette: color === null ? null : buildBrandPalette(color),
    logo: toUrlPath(logo),
    logoDark: toUrlPath(logoDark),
    icon: toUrlPath(icon),
  };
}

export async function getConfiguredSupportContact(
  access: Pick<DbAccess, "sql">,
): Promise<SettingValue<"support_contact">> {
  const [row] = await findSupportContact(access);
  return SETTINGS.support_contact.schema.safeParse(row?.value).data ?? null;
}

/** Returns the support contact: the reseller's, else that of the administrators, else SUPPORT_EMAIL. */
export async function getBrandSupportContact(
  access: Pick<DbAccess, "sql">,
  { supportEmail, supportPhone }: Brand,
): Promise<{ email: string; phone: string | null }> {
  const phone = supportPhone ?? null;
  if (supportEmail) return { email: supportEmail, phone };
  return { email: (await getConfiguredSupportContact(access))?.email ?? env().SUPPORT_EMAIL, phone };
}
