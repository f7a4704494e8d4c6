import type { Context } from "@/server/core/context";
import { insertEntry } from "./statements";

/** Everything that is worth an entry. */
export type AuditAction =
  | "account.registered"
  | "account.email_verified"
  | "account.claimed"
  | "account.deletion_requested"
  | "account.deleted"
  | "account.anonymised"
  | "identity.connected"
  | "identity.removed"
  | "consents.changed"
  | "consents.erased"
  | "sign_in.succeeded"
  | "sign_in.failed"
  | "sign_in.refused"
  | "sign_in.throttled"
  | "password.reset"
  | "password.changed"
  | "identity.proven"
  | "two_factor.enabled"
  | "two_factor.removed"
  | "two_factor.throttled"
  | "recovery_codes.renewed"
  | "recovery_code.used"
  | "session.started"
  | "session.ended"
  | "device.forgotten"
  | "passkey.added"
  | "passkey.removed"
  | "passkey.counter_regressed"
  | "api_key.created"
  | "api_key.revoked"
  | "profile.locale_changed"
  | "profile.changed"
  | "profile.phone_verified"
  | "profile.avatar_changed"
  | "profile.avatar_removed"
  | "profile.menu_labels_changed"
  | "profile.email_change_asked"
  | "profile.email_changed"
  | "profile.email_change_undone"
  | "data_export.requested"
  | "data_export.downloaded"
  | "team.invited"
  | "team.invitation_resent"
  | "team.invitation_cancelled"
  | "team.joined"
  | "team.member_moved"
  | "team.member_modules_changed"
  | "team.member_deactivated"
  | "team.member_reactivated"
  | "portal.changed"
  | "portal.removed"
  | "mail_account.saved"
  | "mail_account.tested"
  | "mail_account.removed"
  | "site.created"
  | "site.suspended"
  | "site.external_key_renewed";

interface Entry {
  action: AuditAction;
  object?: { type: "User" | "Site" | "SiteLicence" | "AccessToken" | "Invitation"; id: number };
  /** Facts that help to understand the entry; never secrets. */
  details?: Record<string, string | number | boolean | null>;
  /** The person the entry belongs to when nobody is signed in yet. */
  actorId?: number;
}

/** Writes one entry, in the transaction of the change it records. Entries are never changed. */
export async function audit(
  ctx: Omit<Context, "db">,
  { action, object, details, actorId }: Entry,
): Promise<void> {
  const who = ctx.actor.kind === "user" ? ctx.actor.id : (actorId ?? null);
  await insertEntry(ctx, {
    actorKind: ctx.actor.kind,
    actorId: who,
    action,
    objectType: object?.type ?? null,
    objectId: object ? String(object.id) : null,
    details: details ? JSON.stringify(details) : null,
    ip: ctx.ip || null,
    userAgent: ctx.userAgent?.slice(0, 500) ?? null,
    requestId: ctx.requestId || null,
  });
}
