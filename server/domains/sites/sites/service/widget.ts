import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { createNotFoundError } from "@/server/core/errors";
import { DAY, fromNow, MINUTE } from "@/server/core/time";
import { findBrandForHost } from "@/server/infrastructure/brand/statements";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import type { getPublicWidget, reportWidgetSeen } from "../contract";
import { isHostOfSite } from "../policy";
import { recordSeenSite } from "../statements";

const WIDGET_SELECT = {
  id: true,
  userId: true,
  name: true,
  domain: true,
  isActive: true,
  owner: { select: { isActive: true } },
  botName: true,
  welcomeMessage: true,
  widgetColor: true,
  widgetPosition: true,
  lastSeenAt: true,
  lastSeenHost: true,
} as const satisfies Prisma.SiteSelect;
type WidgetSite = Prisma.SiteGetPayload<{ select: typeof WIDGET_SELECT }>;

/** Returns the site of a widget key, or null if no site has it. */
export async function findSiteByWidgetKey(
  { db }: Pick<DbAccess, "db">,
  key: string,
): Promise<WidgetSite | null> {
  if (!isWellFormedToken(key, "dsk")) return null;
  return db.site.findUnique({
    where: { apiKeyHash: Uint8Array.from(hashSecret(key)), deletedAt: null },
    select: WIDGET_SELECT,
  });
}

/** The keys of a deactivated account do not work, either. */
export const isWidgetActive = ({ isActive, owner }: WidgetSite) => isActive && owner.isActive;

async function requireSiteByWidgetKey(access: Pick<DbAccess, "db">, key: string): Promise<WidgetSite> {
  const site = await findSiteByWidgetKey(access, key);
  if (!site) throw createNotFoundError("Site", key);
  return site;
}

export async function readPublicWidget(
  ctx: Context,
  { query }: Input<typeof getPublicWidget>,
): Promise<Output<typeof getPublicWidget>> {
  const site = await requireSiteByWidgetKey(ctx, query.key);
  return {
    success: true,
    widget: {
      name: site.name,
      domain: site.domain,
      is_active: isWidgetActive(site),
      bot_name: site.botName,
      welcome_message: site.welcomeMessage,
      widget_color: site.widgetColor,
      widget_position: site.widgetPosition,
    },
  };
}

export async function recordWidgetReport(
  ctx: Context,
  { body }: Input<typeof reportWidgetSeen>,
): Promise<Output<typeof reportWidgetSeen>> {
  const site = await requireSiteByWidgetKey(ctx, body.key);
  const host = parsePageHost(ctx.pageUrl);
  const isRecorded =
    host !== null &&
    acceptsReport(site, host) &&
    !(await isPortalHost(ctx, host)) &&
    (await recordSeenSite(ctx, { siteId: site.id, host })).length > 0;
  return { success: true, recorded: isRecorded, is_active: isWidgetActive(site) };
}

/** A report from elsewhere must not hide that the widget runs on the site's own domain. */
function acceptsReport({ domain, lastSeenAt, lastSeenHost }: WidgetSite, host: string): boolean {
  if (!lastSeenAt || !lastSeenHost) return true;
  if (lastSeenAt > fromNow(-MINUTE)) return false;
  return lastSeenAt < fromNow(-DAY) || isHostOfSite(host, domain) || !isHostOfSite(lastSeenHost, domain);
}

/** Longer values are not the host of a page. */
const MAX_URL_LENGTH = 2048;
const HOST_PATTERN = /^(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])$/;

/** Returns the host of a page, without its port; null for pages of the panel and for anything but a web page. */
function parsePageHost(pageUrl: string | null | undefined): string | null {
  if (!pageUrl || pageUrl.length > MAX_URL_LENGTH || !URL.canParse(pageUrl)) return null;
  const { protocol, hostname, origin } = new URL(pageUrl);
  if (protocol !== "https:" && protocol !== "http:") return null;
  if (origin === new URL(env().APP_URL).origin) return null;
  const host = hostname.replace(/\.$/, "");
  return HOST_PATTERN.test(host) ? host : null;
}

async function isPortalHost(ctx: Context, host: string): Promise<boolean> {
  return (await findBrandForHost(ctx, { host })).length > 0;
}
