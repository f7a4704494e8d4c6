import type { Context } from "@/server/core/context";
import { refuse } from "@/server/core/errors";
import type { Consents } from "@/server/domains/accounts/consents/contract";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { hasSignedAgreement } from "@/server/domains/accounts/portals/service/access";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import type { DbAccess } from "@/server/infrastructure/database/transaction";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import { lockInvitingReseller } from "../statements";

/** Distinguishes a reseller's invitation from a team's by the token's prefix. */
export function isCustomerToken(token: string): boolean {
  return isToken(token, "dsb");
}

const matchesToken = (token: string) => ({
  tokenHash: digest(token),
  acceptedAt: null,
  expiresAt: { gt: new Date() },
  reseller: { isActive: true, role: "reseller" as const },
});

export async function findInvitation({ db }: Pick<DbAccess, "db">, token: string) {
  return db.customerInvitation.findFirst({
    where: matchesToken(token),
    select: { name: true, email: true, phone: true, expiresAt: true, reseller: { select: { name: true } } },
  });
}

interface Person {
  name?: string | null;
  phone: string | null;
  passwordHash: string;
  timezone: string | null;
}

/** Throws `invitation_invalid` and `invitation_address_taken`, by the reseller's current state. */
export async function openCustomer(
  tx: Context,
  token: string,
  { person, consents }: { person: Person; consents: Consents },
): Promise<number> {
  const [reseller] = await lockInvitingReseller(tx, { tokenHash: digest(token) });
  if (!reseller?.inviting) throw refuse("invitation_invalid");
  if (!(await hasSignedAgreement(tx, reseller.id))) throw refuse("invitation_invalid");
  const [row] = await tx.db.customerInvitation.updateManyAndReturn({
    where: matchesToken(token),
    data: { acceptedAt: new Date() },
    select: { id: true, name: true, email: true, phone: true },
  });
  if (!row) throw refuse("invitation_invalid");
  // Personal data must not outlive the account.
  await tx.db.customerInvitation.delete({ where: { id: row.id }, select: { id: true } });
  const account = {
    ...person,
    name: person.name ?? row.name,
    phone: person.phone ?? row.phone,
    email: row.email,
    emailVerifiedAt: new Date(),
    resellerId: reseller.id,
  };
  const id = await openAccount(tx, account, {
    consents,
    source: "invitation",
    credits: WELCOME_CREDITS,
    entry: { action: "customer.joined", details: { reseller: reseller.id } },
  });
  if (!id) throw refuse("invitation_address_taken");
  return id;
}
