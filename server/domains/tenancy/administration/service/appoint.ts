import { type Context, systemContext } from "@/server/core/context";
import { env, SettingsError } from "@/server/core/env";
import { emailKey } from "@/server/core/schema";
import { DAY, HOUR, MINUTE } from "@/server/core/time";
import { newResetPath } from "@/server/domains/access/sign-in/service/request-reset";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { CONSENTS } from "@/server/domains/accounts/consents/contract";
import { recordConsents } from "@/server/domains/accounts/consents/service/record";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import { CLEARED_VALUES, detachDependants, updateUser } from "@/server/domains/accounts/users/service/change";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { erasePersonalData } from "@/server/domains/accounts/users/service/personal-data";
import { revokeAccessOf, revokeFormerAccess } from "@/server/domains/tenancy/team/service/release";
import { inTransaction } from "@/server/infrastructure/database/transaction";
import { changeRole } from "./role";
import { lockFamily, membersOf } from "./target";
import { closeSetup } from "./token";

type Source = "admin.granted_by_setting" | "admin.granted_by_console";

interface Person {
  email: string;
  name?: string;
}

export interface Appointed {
  email: string;
  link: string;
  mailed: boolean;
  hours: number;
}

/** Life of the link; long, because the mail may be read late. */
const LINK_LIFE = DAY;

/** Creates the first administrator; undefined if there is one. Serialises starting servers. */
export async function appointFirst(person: Person): Promise<Appointed | undefined> {
  return inTransaction(async (work) => {
    const tx = systemContext(work);
    await lockAdministrators(tx);
    if ((await tx.db.user.count({ where: { role: "admin" } })) > 0) return undefined;
    return appoint(tx, person, "admin.granted_by_setting");
  });
}

export async function appointFromConsole(person: Person): Promise<Appointed> {
  return inTransaction(async (work) => {
    const tx = systemContext(work);
    await lockAdministrators(tx);
    return appoint(tx, person, "admin.granted_by_console");
  });
}

async function appoint(tx: Context, person: Person, source: Source): Promise<Appointed> {
  const id = (await openNew(tx, person, source)) ?? (await claimExisting(tx, person));
  const { role, ...user } = await tx.db.user.findUniqueOrThrow({
    where: { id },
    select: { id: true, name: true, email: true, locale: true, role: true },
  });
  await changeRole(tx, { id, from: role, to: "admin" });
  await closeSetup(tx);
  await updateUser(tx, { id }, { isActive: true, deactivatedBy: null });
  await audit(tx, {
    action: source,
    object: { type: "User", id },
    details: { before: role, after: "admin" },
  });
  const path = await newResetPath(tx, user, { minutes: LINK_LIFE / MINUTE });
  const { APP_URL, SMTP_URL } = env();
  const hours = LINK_LIFE / HOUR;
  if (SMTP_URL) await mailUser(tx, user, { template: "administrator_appointed", params: { hours }, path });
  return { email: user.email, link: APP_URL + path, mailed: Boolean(SMTP_URL), hours };
}

const nameOf = ({ name, email }: Person) => name ?? email.slice(0, email.lastIndexOf("@"));

/** Undefined if the address has an account. */
function openNew(tx: Context, person: Person, source: Source): Promise<number | undefined> {
  const account = { name: nameOf(person), email: person.email, emailVerifiedAt: new Date() };
  return openAccount(tx, account, {
    consents: {},
    source: "provider",
    credits: WELCOME_CREDITS,
    entry: { action: "account.registered", details: { by: source } },
  });
}

/** An unverified account may be a stranger's, registered in advance: remove all its access. */
async function claimExisting(tx: Context, person: Person): Promise<number> {
  const find = () =>
    tx.db.user.findUnique({
      where: { emailKey: emailKey(person.email) },
      select: { id: true, emailVerifiedAt: true, _count: { select: { sites: true } } },
    });
  const candidate = await find();
  if (candidate) await lockFamily(tx, candidate.id);
  const account = await find();
  if (!account)
    throw new SettingsError(`${person.email} is reserved: the account that left it may return to it.`);
  if (account.emailVerifiedAt) return account.id;
  if (account._count.sites > 0)
    throw new SettingsError(
      `${person.email} belongs to an account that has sites and never verified this address; verify it first.`,
    );
  const { id: userId } = account;
  // Revokes what this account, its parent and its reseller set up on the members' sites.
  for (const each of await membersOf(tx, userId)) await revokeFormerAccess(tx, each);
  await revokeAccessOf(tx, userId);
  await erasePersonalData(tx, userId);
  await detachDependants(tx, userId);
  await updateUser(
    tx,
    { id: userId },
    { ...CLEARED_VALUES, name: nameOf(person), emailVerifiedAt: new Date() },
  );
  const noConsents = Object.fromEntries(CONSENTS.map((key) => [key, false]));
  await recordConsents(tx, { userId, consents: noConsents, source: "provider" });
  await audit(tx, { action: "account.claimed", object: { type: "User", id: userId } });
  return userId;
}
