import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { toIsoMicros } from "@/server/core/time";
import { listSharedGates } from "@/server/domains/access/sign-in/service/explain-gates";
import { CONNECTION_ROW_SELECT, toConnectionOutput } from "@/server/domains/sites/connections/service/rows";
import { getSupportAccessUntil } from "@/server/domains/tenancy/view-as/service/permission";
import type { getCustomer } from "../contract";
import { requireCustomer } from "./require-customer";

const MAX_LISTED_RECORDS = 100;

export async function getCustomerDetail(
  ctx: Context<UserActor>,
  { params }: Input<typeof getCustomer>,
): Promise<Output<typeof getCustomer>> {
  await requireCustomer(ctx, params.id);
  return { success: true, customer: await describeCustomer(ctx, params.id) };
}

/** Includes sites and connections of the customer's sub-users. */
export async function describeCustomer(
  ctx: Context<UserActor>,
  id: number,
): Promise<Output<typeof getCustomer>["customer"]> {
  const user = await ctx.db.user.findUniqueOrThrow({
    where: { id },
    select: {
      id: true,
      name: true,
      email: true,
      phone: true,
      isActive: true,
      deactivatedBy: true,
      createdAt: true,
      emailVerifiedAt: true,
      supportAccess: { select: { until: true } },
      subscriptions: {
        where: { status: { in: ["active", "past_due"] } },
        orderBy: { id: "desc" },
        select: {
          id: true,
          planName: true,
          status: true,
          isTrial: true,
          siteSlots: true,
          usedSlots: true,
          endsAt: true,
        },
      },
    },
  });
  const whereCustomerSite = { deletedAt: null, owner: { OR: [{ id }, { parentUserId: id }] } };
  const sites = await ctx.db.site.findMany({
    where: whereCustomerSite,
    orderBy: { id: "desc" },
    take: MAX_LISTED_RECORDS,
    select: { id: true, name: true, domain: true, isActive: true },
  });
  const connections = await ctx.db.connection.findMany({
    where: { owner: whereCustomerSite.owner },
    orderBy: { id: "desc" },
    take: MAX_LISTED_RECORDS,
    select: CONNECTION_ROW_SELECT,
  });
  const siteCount = await ctx.db.site.count({ where: whereCustomerSite });
  const licenceCount = await ctx.db.siteLicence.count({
    where: { status: "active", site: whereCustomerSite },
  });
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    is_active: user.isActive,
    sites_count: siteCount,
    active_licenses_count: licenceCount + user.subscriptions.length,
    created_at: toIsoMicros(user.createdAt),
    email_verified_at: toIsoMicros(user.emailVerifiedAt),
    deactivated_by: user.deactivatedBy,
    support_access_until: getSupportAccessUntil(user.supportAccess),
    sites: sites.map(({ isActive, ...site }) => ({ ...site, is_active: isActive })),
    connections: connections.map((row) => toConnectionOutput(row, ctx.actor.scope)),
    subscriptions: user.subscriptions.map((row) => ({
      id: row.id,
      plan: row.planName,
      is_trial: row.isTrial,
      status: row.status as "active" | "past_due",
      site_slots: row.siteSlots,
      used_slots: row.usedSlots,
      ends_at: toIsoMicros(row.endsAt),
    })),
    gates: await listSharedGates(ctx, id),
  };
}
