import type { Output } from "@/server/core/contract";
import { DAY, toIsoMicros } from "@/server/core/time";
import { SUBSCRIPTION_GRACE_DAYS } from "@/server/domains/sites/slots/contract";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import type { getResellerOverview } from "../contract";
import { CUSTOMERS_AT_RISK_MAX } from "../policy";

type CustomerAtRisk = Output<typeof getResellerOverview>["customers_at_risk"][number];

export async function listCustomersAtRisk(
  { db }: Pick<DbAccess, "db">,
  resellerId: number,
): Promise<CustomerAtRisk[]> {
  const ofReseller = { resellerId, anonymisedAt: null } as const;
  const suspended = { suspendedReason: "subscription_ended", deletedAt: null } as const;
  const [offlineCustomers, pastDueSubscriptions] = await Promise.all([
    db.user.findMany({
      where: { ...ofReseller, sites: { some: suspended } },
      orderBy: { id: "asc" },
      take: CUSTOMERS_AT_RISK_MAX,
      select: { id: true, name: true, _count: { select: { sites: { where: suspended } } } },
    }),
    db.subscription.findMany({
      where: { status: "past_due", user: ofReseller },
      orderBy: [{ endsAt: "asc" }, { id: "asc" }],
      take: CUSTOMERS_AT_RISK_MAX,
      select: { planName: true, endsAt: true, user: { select: { id: true, name: true } } },
    }),
  ]);
  return [
    ...offlineCustomers.map(({ id, name, _count }) => ({
      ...{ id, name, kind: "offline" as const },
      ...{ sites_count: _count.sites, plan: null, until: null },
    })),
    ...pastDueSubscriptions.map(({ planName, endsAt, user: { id, name } }) => ({
      ...{ id, name, kind: "past_due" as const, sites_count: null, plan: planName },
      until: toIsoMicros(new Date(endsAt.getTime() + SUBSCRIPTION_GRACE_DAYS * DAY)),
    })),
  ];
}
