import type { Context } from "@/server/core/context";
import { createError } from "@/server/core/errors";
import type { Consents } from "@/server/domains/accounts/consents/contract";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { hashSecret, isWellFormedToken } from "@/server/infrastructure/secrets/tokens";
import { lockInvitingReseller } from "../statements";

/** Tokens of customers start with `dsb`, those of team members with `dsj`. */
export function isCustomerInvitationToken(token: string): boolean {
  return isWellFormedToken(token, "dsb");
}

const whereValidToken = (token: string) => ({
  tokenHash: hashSecret(token),
  acceptedAt: null,
  expiresAt: { gt: new Date() },
  reseller: { isActive: true, role: "reseller" as const },
});

export async function findCustomerInvitation({ db }: Pick<DbAccess, "db">, token: string) {
  return db.customerInvitation.findFirst({
    where: whereValidToken(token),
    select: { name: true, email: true, phone: true, expiresAt: true, reseller: { select: { name: true } } },
  });
}

interface NewCustomer {
  name?: string | null;
  phone: string | null;
  passwordHash: string;
  timezone: string | null;
}

export async function openCustomerAccount(
  tx: Context,
  token: string,
  { person, consents }: { person: NewCustomer; consents: Consents },
): Promise<number> {
  const [reseller] = await lockInvitingReseller(tx, { tokenHash: hashSecret(token) });
  if (!reseller?.canInvite) throw createError("invitation_invalid");
  if (!(await hasSignedAgreement(tx, reseller.id))) throw createError("invitation_invalid");
  const [invitation] = await tx.db.customerInvitation.updateManyAndReturn({
    where: whereValidToken(token),
    data: { acceptedAt: new Date() },
    select: { id: true, name: true, email: true, phone: true },
  });
  if (!invitation) throw createError("invitation_invalid");
  // Personal data must not outlive the account.
  await tx.db.customerInvitation.delete({ where: { id: invitation.id }, select: { id: true } });
  const account = {
    ...person,
    name: person.name ?? invitation.name,
    phone: person.phone ?? invitation.phone,
    email: invitation.email,
    emailVerifiedAt: new Date(),
    resellerId: reseller.id,
  };
  const id = await openAccount(tx, account, {
    consents,
    source: "invitation",
    credits: WELCOME_CREDITS,
    auditEntry: { action: "customer.joined", details: { reseller: reseller.id } },
  });
  if (!id) throw createError("invitation_address_taken");
  return id;
}
