import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { createNotFoundError } from "@/server/core/errors";
import { toIsoMicros } from "@/server/core/time";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { loadLatestConsents } from "@/server/domains/accounts/consents/service/record";
import { getSupportAccessUntil } from "@/server/domains/tenancy/view-as/service/permission";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getAccount } from "../contract";
import { countSitesAndFactors, toUserRow, USER_ROW_SELECT } from "../dto";

const RELATED_ACCOUNT_SELECT = { select: { id: true, name: true, email: true } } as const;
const DETAIL_SELECT = {
  ...USER_ROW_SELECT,
  credits: true,
  anonymisedAt: true,
  deactivatedBy: true,
  supportAccess: { select: { until: true } },
  parent: RELATED_ACCOUNT_SELECT,
  assignedSite: { select: { id: true, name: true, domain: true } },
} satisfies Prisma.UserSelect;

export async function getAccountDetail(
  { actor, db, sql }: Context<UserActor>,
  { params: { id } }: Input<typeof getAccount>,
): Promise<Output<typeof getAccount>> {
  requireAdministrator(actor);
  const user = await db.user.findUnique({
    where: { id },
    select: DETAIL_SELECT,
    relationLoadStrategy: "join",
  });
  if (!user) throw createNotFoundError("User", id);
  const [lastSignIn, factors, recoveryCodeCount, passkeyCount, consents] = await Promise.all([
    db.auditEvent.findFirst({
      where: { actorId: id, action: "sign_in.succeeded" },
      orderBy: { id: "desc" },
      select: { at: true },
    }),
    db.factor.findMany({
      where: { userId: id, confirmedAt: { not: null } },
      orderBy: { id: "asc" },
      select: { kind: true },
    }),
    db.recoveryCode.count({ where: { userId: id, usedAt: null } }),
    db.passkey.count({ where: { userId: id } }),
    loadLatestConsents({ sql }, id),
  ]);
  const { credits, parent, assignedSite, anonymisedAt } = user;
  return {
    success: true,
    user: {
      ...toUserRow(user, await countSitesAndFactors({ db }, [user])),
      credits,
      support_access_until: getSupportAccessUntil(user.supportAccess),
      deactivated_by: user.deactivatedBy,
      parent,
      assigned_site: assignedSite,
      last_sign_in_at: toIsoMicros(lastSignIn?.at ?? null),
      factors: factors.map(({ kind }) => kind),
      recovery_codes_count: recoveryCodeCount,
      passkeys_count: passkeyCount,
      consents: CONSENTS.filter((consentKey) => consents.get(consentKey)?.granted),
      anonymised_at: toIsoMicros(anonymisedAt),
    },
  };
}
