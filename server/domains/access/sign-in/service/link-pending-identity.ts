import type { Context } from "@/server/core/context";
import { toEmailKey } from "@/server/core/schema";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { mailUser } from "@/server/domains/accounts/users/service/notify";
import { linkIdentity } from "../statements";
import type { Candidate } from "./gates";
import type { PendingIdentity } from "./pending-identity";

/** Links the identity after the second factor, unless the account has changed since. */
export async function linkPendingIdentity(
  tx: Omit<Context, "db">,
  user: Candidate,
  { provider, issuer, subject, email, grant }: PendingIdentity,
): Promise<void> {
  const [linkedIdentity] = await linkIdentity(tx, {
    userId: user.id,
    emailKey: toEmailKey(email),
    provider,
    issuer,
    subject,
    email,
    grantSealed: grant ? Buffer.from(grant, "base64") : null,
  });
  if (!linkedIdentity) return;
  const object = { type: "User" as const, id: user.id };
  await audit(tx, { action: "identity.connected", object, actorId: user.id, details: { provider } });
  await mailUser(tx, user, { template: "identity_connected", path: "/forgot-password" });
}
