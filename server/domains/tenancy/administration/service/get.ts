import type { Context, UserActor } from "@/server/core/context";
import { requireAdministrator } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { refuse } from "@/server/core/errors";
import { isoMicros } from "@/server/core/time";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { latestConsents } from "@/server/domains/accounts/consents/service/record";
import { allowedUntil } from "@/server/domains/tenancy/view-as/service/permission";
import type { Prisma } from "@/server/infrastructure/database/generated/client";
import type { getAccount } from "../contract";
import { countsOf, USER_ROW, userRow } from "../dto";

const PERSON = { select: { id: true, name: true, email: true } } as const;
const DETAIL = {
  ...USER_ROW,
  credits: true,
  anonymisedAt: true,
  deactivatedBy: true,
  supportAccess: { select: { until: true } },
  parent: PERSON,
  assignedSite: { select: { id: true, name: true, domain: true } },
} satisfies Prisma.UserSelect;

export async function get(
  { actor, db, sql }: Context<UserActor>,
  { params: { id } }: Input<typeof getAccount>,
): Promise<Output<typeof getAccount>> {
  requireAdministrator(actor);
  const user = await db.user.findUnique({
    where: { id },
    select: DETAIL,
    relationLoadStrategy: "join",
  });
  if (!user) throw refuse("record_not_found", { params: { model: "User", id } });
  const [lastSignIn, factors, codes, passkeys, consents] = await Promise.all([
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
    latestConsents({ sql }, id),
  ]);
  const { credits, parent, assignedSite, anonymisedAt } = user;
  return {
    success: true,
    user: {
      ...userRow(user, await countsOf({ db }, [user])),
      credits,
      support_access_until: allowedUntil(user.supportAccess),
      deactivated_by: user.deactivatedBy,
      parent,
      assigned_site: assignedSite,
      last_sign_in_at: isoMicros(lastSignIn?.at ?? null),
      factors: factors.map(({ kind }) => kind),
      recovery_codes_count: codes,
      passkeys_count: passkeys,
      consents: CONSENTS.filter((key) => consents.get(key)?.granted),
      anonymised_at: isoMicros(anonymisedAt),
    },
  };
}
