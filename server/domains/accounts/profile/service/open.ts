import type { Context } from "@/server/core/context";
import type { AuditAction } from "@/server/core/domain";
import { matchLocale } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import { toIsoMicros } from "@/server/core/time";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import type { Consents } from "@/server/domains/accounts/consents/contract";
import { type ConsentSource, recordConsents } from "@/server/domains/accounts/consents/service/record";
import { addCredits } from "@/server/domains/accounts/credits/service/credits";
import { isEmailReserved } from "@/server/domains/accounts/users/service/find";
import { buildUserSearchText } from "@/server/domains/accounts/users/service/search";
import { emitWebhookEvent } from "@/server/domains/accounts/webhooks/service/events";
import type { Prisma } from "@/server/infrastructure/database/generated/client";

export type NewAccount = Pick<
  Prisma.UserCreateManyInput,
  | "name"
  | "email"
  | "phone"
  | "passwordHash"
  | "timezone"
  | "provider"
  | "avatarUrl"
  | "emailVerifiedAt"
  | "resellerId"
  | "parentUserId"
  | "isAgentOnly"
  | "assignedSiteId"
  | "allowedModules"
>;

interface OpeningOptions {
  consents: Consents;
  source: ConsentSource;
  credits?: number;
  auditEntry: { action: AuditAction; details?: Record<string, string | number | null> };
}

/** Returns undefined, without a write, if the address is taken or reserved. The transaction stays usable. */
export async function openAccount(
  tx: Context,
  account: NewAccount,
  { consents, source, credits = 0, auditEntry }: OpeningOptions,
): Promise<number | undefined> {
  const { email } = account;
  const [user] = await tx.db.user.createManyAndReturn({
    data: [
      {
        ...account,
        // Null without a language in the request: the default of a server's call says nothing about the person.
        signUpLocale: tx.acceptLanguage ? matchLocale(tx.acceptLanguage) : null,
        emailKey: toEmailKey(email),
        searchText: buildUserSearchText({ phone: null, ...account }),
      },
    ],
    skipDuplicates: true,
    select: { id: true, role: true, resellerId: true, createdAt: true },
  });
  if (!user) return undefined;
  const { id } = user;
  // Check after the insert, which waits for a concurrent change away from this address.
  if (await isEmailReserved(tx, { email, requesterId: id })) {
    await tx.db.user.delete({ where: { id }, select: { id: true } });
    return undefined;
  }
  if (credits > 0) await addCredits(tx, { userId: id, amount: credits, reason: "welcome" });
  await recordConsents(tx, { userId: id, consents, source });
  await audit(tx, { ...auditEntry, object: { type: "User", id }, actorId: id });
  const { role, resellerId: reseller_id, createdAt } = user;
  const data = { id, role, reseller_id, created_at: toIsoMicros(createdAt) };
  await emitWebhookEvent(tx, { type: "user.created", ownerId: id, data });
  return id;
}
