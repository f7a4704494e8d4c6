import type { BrandPalette } from "@/server/core/brand-colour";
import { env } from "@/server/core/env";
import { kept } from "@/server/core/kept";
import { plainName } from "@/server/core/plain-name";
import { mainHost, portalUrl } from "@/server/core/portal";
import { SETTINGS, type SettingValue } from "@/server/core/settings";
import type { Work } from "@/server/infrastructure/database/transaction";
import { findBrandAbove, findBrandAt, findSupport } from "./statements";

/** How the product looks to somebody: in the panel, on signed-out pages, in mails and text messages. */
export interface Brand {
  name: string;
  /** What links in mails start with. */
  url: string;
  /** Null: the platform's own colours. */
  palette?: BrandPalette | null;
  /** Paths of stored pictures on this host. */
  logo?: string | null;
  logoDark?: string | null;
  icon?: string | null;
  /** Whom to ask for help; none: the platform's contact. */
  supportEmail?: string | null;
  supportPhone?: string | null;
  /** Whose brand it is; none: the platform's own. */
  resellerId?: number;
}

/** A reseller's brand, where a name may still be missing. */
export interface ResellerBrand extends Omit<Brand, "name" | "resellerId"> {
  resellerId: number;
  name: string | null;
}

/** The platform's own brand. Links come from the settings, never from the request. */
export function platformBrand(): Brand {
  return { name: env().APP_NAME, url: env().APP_URL };
}

/** Returns a brand's name for mails and text messages; the operator's own is kept as it is. */
export function senderName({ name }: Pick<Brand, "name">): string {
  const { APP_NAME } = env();
  return name === APP_NAME ? name : plainName(name) || APP_NAME;
}

type Sql = Pick<Work, "sql">;

/** The brand of the reseller above an account, or of the reseller whose account it is. Null: there is none. */
export async function resellerBrand(work: Sql, userId: number): Promise<ResellerBrand | null> {
  const [row] = await findBrandAbove(work, { userId });
  return row ? brandOfRow(row) : null;
}

/** What an account's pages and messages look like; the platform's own brand when no reseller has set another. */
export async function brandFor(work: Sql, userId: number): Promise<Brand> {
  return named(await resellerBrand(work, userId));
}

/** What signed-out pages at a host look like: a portal counts once its domain is proven. */
export async function brandAt(work: Sql, host: string | null): Promise<Brand> {
  if (host === null || host === mainHost()) return platformBrand();
  const [row] = await findBrandAt(work, { host });
  if (!row) names().delete(host);
  return named(row ? brandOfRow(row) : null);
}

/** A reseller who has set no brand shows the platform's own. */
function named(brand: ResellerBrand | null): Brand {
  return brand?.name
    ? { ...brand, name: brand.name }
    : { ...platformBrand(), ...(brand && { url: brand.url }) };
}

/** What portals that this process has served are called, by host. */
const names = kept(() => new Map<string, string>());
const NAMES_MAX = 10_000;

/** What is shown at a host when nothing can be looked up: null for a portal that this process has not met. */
export function rememberedName(host: string | null): string | null {
  return host === mainHost() ? env().APP_NAME : (names().get(host ?? "") ?? null);
}

type Row = Awaited<ReturnType<typeof findBrandAbove>>[number];

function brandOfRow({ domain, palette, logo, logoDark, icon, ...row }: Row): ResellerBrand {
  const { name } = row;
  const path = (key: string | null) => key && `/${key}`;
  if (domain && name && (names().has(domain) || names().size < NAMES_MAX)) names().set(domain, name);
  return {
    ...row,
    url: domain ? portalUrl(domain) : env().APP_URL,
    palette: palette as BrandPalette | null,
    logo: path(logo),
    logoDark: path(logoDark),
    icon: path(icon),
  };
}

/** Returns the support contact that administrators have set; null if none. */
export async function namedSupport(work: Pick<Work, "sql">): Promise<SettingValue<"support_contact">> {
  const [row] = await findSupport(work);
  return SETTINGS.support_contact.schema.safeParse(row?.value).data ?? null;
}

/** Returns the support contact under a brand: the reseller's, else the administrators', else the environment's. */
export async function supportUnder(
  work: Pick<Work, "sql">,
  { supportEmail, supportPhone }: Brand,
): Promise<{ email: string; phone: string | null }> {
  const phone = supportPhone ?? null;
  if (supportEmail) return { email: supportEmail, phone };
  return { email: (await namedSupport(work))?.email ?? env().SUPPORT_EMAIL, phone };
}
