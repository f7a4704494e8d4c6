import type { Context, UserActor } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { isoMicros } from "@/server/core/time";
import { requireAdministrator } from "@/server/domains/accounts/users/service/administrator";
import { allowedUntil } from "@/server/domains/tenancy/view-as/service/permission";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getAccount } from "../contract";
import { countsOf, ROW, userRow } from "../dto";

const PERSON = { select: { id: true, name: true, email: true } } as const;
const DETAIL = {
  ...ROW,
  phone: true,
  credits: true,
  anonymisedAt: true,
  deactivatedBy: true,
  supportAccess: { select: { until: true } },
  parent: PERSON,
  reseller: PERSON,
  assignedSite: { select: { id: true, name: true, domain: true } },
} satisfies Prisma.UserSelect;

/** One account with whom it belongs to. Administrators only. */
export async function get(
  { actor, db }: Context<UserActor>,
  { params: { id } }: Input<typeof getAccount>,
): Promise<Output<typeof getAccount>> {
  requireAdministrator(actor);
  const user = await db.user.findUnique({
    where: { id },
    select: DETAIL,
    relationLoadStrategy: "join",
  });
  if (!user) throw refuse("record_not_found", { params: { model: "User", id } });
  const { phone, credits, parent, reseller, assignedSite, anonymisedAt } = user;
  return {
    success: true,
    user: {
      ...userRow(user, await countsOf({ db }, [user])),
      phone,
      credits,
      support_access_until: allowedUntil(user.supportAccess),
      deactivated_by: user.deactivatedBy,
      parent,
      reseller,
      assigned_site: assignedSite,
      anonymised_at: isoMicros(anonymisedAt),
    },
  };
}
