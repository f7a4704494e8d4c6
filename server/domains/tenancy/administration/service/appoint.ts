import { type Context, createSystemContext } from "@/server/core/context";
import { env, SettingsError } from "@/server/core/env";
import { MAIL_LOCALE_SELECT } from "@/server/core/locale";
import { toEmailKey } from "@/server/core/schema";
import { DAY, HOUR, MINUTE } from "@/server/core/time";
import { createPasswordResetPath } from "@/server/domains/access/sign-in/service/request-reset";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { recordConsents } from "@/server/domains/accounts/consents/service/record";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import {
  CLEARED_ACCOUNT_VALUES,
  detachDependants,
  updateUser,
} from "@/server/domains/accounts/users/service/change";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { erasePersonalData } from "@/server/domains/accounts/users/service/personal-data";
import {
  revokeAccessToOtherSites,
  revokeFormerAccess,
} from "@/server/domains/tenancy/team/service/revoke-former-access";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { changeRole } from "./role";
import { closeSetup } from "./setup-token";
import { listMemberIds, lockFamily } from "./target-account";

type AppointmentAction = "admin.granted_by_setting" | "admin.granted_by_console";

interface NewAdministrator {
  email: string;
  name?: string;
}

export interface Appointment {
  email: string;
  link: string;
  isMailed: boolean;
  linkLifetimeHours: number;
}

const LINK_LIFETIME_MS = DAY;

/** Returns undefined if an administrator exists. The lock serialises starting servers. */
export async function appointFirstAdministrator(person: NewAdministrator): Promise<Appointment | undefined> {
  return inTransaction(async (transaction) => {
    const tx = createSystemContext(transaction);
    await lockAdministrators(tx);
    if ((await tx.db.user.count({ where: { role: "admin" } })) > 0) return undefined;
    return appointAdministrator(tx, person, "admin.granted_by_setting");
  });
}

export async function appointAdministratorFromConsole(person: NewAdministrator): Promise<Appointment> {
  return inTransaction(async (transaction) => {
    const tx = createSystemContext(transaction);
    await lockAdministrators(tx);
    return appointAdministrator(tx, person, "admin.granted_by_console");
  });
}

async function appointAdministrator(
  tx: Context,
  person: NewAdministrator,
  appointmentAction: AppointmentAction,
): Promise<Appointment> {
  const id =
    (await openNewAccount(tx, person, appointmentAction)) ?? (await claimExistingAccount(tx, person));
  const { role, ...user } = await tx.db.user.findUniqueOrThrow({
    where: { id },
    select: { id: true, name: true, email: true, ...MAIL_LOCALE_SELECT, role: true },
  });
  await changeRole(tx, { id, from: role, to: "admin" });
  await closeSetup(tx);
  await updateUser(tx, { id }, { isActive: true, deactivatedBy: null });
  await audit(tx, {
    action: appointmentAction,
    object: { type: "User", id },
    details: { before: role, after: "admin" },
  });
  const path = await createPasswordResetPath(tx, user, { minutes: LINK_LIFETIME_MS / MINUTE });
  const { APP_URL, SMTP_URL } = env();
  const hours = LINK_LIFETIME_MS / HOUR;
  if (SMTP_URL) await mailUser(tx, user, { template: "administrator_appointed", params: { hours }, path });
  return { email: user.email, link: APP_URL + path, isMailed: Boolean(SMTP_URL), linkLifetimeHours: hours };
}

const getAdministratorName = ({ name, email }: NewAdministrator) =>
  name ?? email.slice(0, email.lastIndexOf("@"));

/** Returns undefined if the address has an account. */
function openNewAccount(
  tx: Context,
  person: NewAdministrator,
  appointmentAction: AppointmentAction,
): Promise<number | undefined> {
  const account = { name: getAdministratorName(person), email: person.email, emailVerifiedAt: new Date() };
  return openAccount(tx, account, {
    consents: {},
    source: "provider",
    credits: WELCOME_CREDITS,
    auditEntry: { action: "account.registered", details: { by: appointmentAction } },
  });
}

/** Revokes all access of an unverified account: a stranger may have registered the address in advance. */
async function claimExistingAccount(tx: Context, person: NewAdministrator): Promise<number> {
  const findAccount = () =>
    tx.db.user.findUnique({
      where: { emailKey: toEmailKey(person.email) },
      select: { id: true, emailVerifiedAt: true, _count: { select: { sites: true } } },
    });
  const candidate = await findAccount();
  if (candidate) await lockFamily(tx, candidate.id);
  const account = await findAccount();
  if (!account)
    throw new SettingsError(`${person.email} is reserved: the account that left it may return to it.`);
  if (account.emailVerifiedAt) return account.id;
  if (account._count.sites > 0)
    throw new SettingsError(
      `${person.email} belongs to an account that has sites and never verified this address; verify it first.`,
    );
  const { id: userId } = account;
  for (const memberId of await listMemberIds(tx, userId)) await revokeFormerAccess(tx, memberId);
  await revokeAccessToOtherSites(tx, userId);
  await erasePersonalData(tx, userId);
  await detachDependants(tx, userId);
  await updateUser(
    tx,
    { id: userId },
    { ...CLEARED_ACCOUNT_VALUES, name: getAdministratorName(person), emailVerifiedAt: new Date() },
  );
  const noConsents = Object.fromEntries(CONSENTS.map((key) => [key, false]));
  await recordConsents(tx, { userId, consents: noConsents, source: "provider" });
  await audit(tx, { action: "account.claimed", object: { type: "User", id: userId } });
  return userId;
}
