import type { Context, UserActor } from "@/server/core/context";
import { invalidField } from "@/server/core/errors";
import { rejectStaleChange } from "@/server/core/stale";
import { toCanonicalZone } from "@/server/core/time";
import { audit, diffFields } from "@/server/domains/accounts/audit/service/audit";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import type { Account, AccountChanges } from "../dto";

type Details = Pick<Account, "name" | "phone" | "timezone">;

/** Returns the IANA name of a time zone. */
export function parseTimeZone(name: string | null): string | null {
  const zone = name && toCanonicalZone(name);
  if (name && !zone) throw invalidField("timezone", "timezone");
  return zone;
}

/** Throws `stale` if a value to be replaced differs from what the caller last saw. */
export function requireExpectedDetails(changes: AccountChanges, account: Account): void {
  const email = account.pendingEmail ?? account.email;
  rejectStaleChange(changes.expected, {
    current: { ...pickDetails(account), email },
    requested: { ...mergeDetails(account, changes), email: changes.email ?? email },
  });
}

/** Writes everything except the email address. Returns the new row. */
export async function saveDetails(
  tx: Context<UserActor>,
  before: Account,
  { passwordHash = before.passwordHash ?? undefined, ...changes }: AccountChanges & { passwordHash?: string },
): Promise<Account> {
  const details = mergeDetails(before, changes);
  await updateUser(
    tx,
    { id: before.id },
    {
      ...details,
      ...changes.preferences,
      passwordHash,
      ...(details.phone !== before.phone && { phoneVerifiedAt: null }),
    },
  );
  await auditDetails(tx, pickDetails(before), details);
  return { ...before, ...details, passwordHash: passwordHash ?? null };
}

function mergeDetails(account: Account, { name, phone, timezone }: AccountChanges): Details {
  return {
    name: name ?? account.name,
    phone: phone ?? account.phone,
    timezone: timezone === undefined ? account.timezone : timezone,
  };
}

function pickDetails({ name, phone, timezone }: Details): Details {
  return { name, phone, timezone };
}

async function auditDetails(tx: Context<UserActor>, before: Details, after: Details): Promise<void> {
  const changes = diffFields(before, after);
  if (!changes) return;
  await audit(tx, {
    action: "profile.changed",
    object: { type: "User", id: tx.actor.id },
    details: { fields: Object.keys(changes.after).join(" ") },
    changes,
  });
}
