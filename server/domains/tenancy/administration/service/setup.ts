import type { Context } from "@/server/core/context";
import type { Input, Output } from "@/server/core/contract";
import { countedInvalidField, createError } from "@/server/core/errors";
import { lockCandidate } from "@/server/domains/access/sign-in/service/candidate";
import { signInThroughGates } from "@/server/domains/access/sign-in/service/gates";
import { checkNewPassword } from "@/server/domains/access/sign-in/service/passwords";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { openAccount } from "@/server/domains/accounts/profile/service/open";
import { updateUser } from "@/server/domains/accounts/users/service/change";
import { lockAdministrators } from "@/server/domains/accounts/users/service/lock";
import { runSelfChecks } from "@/server/domains/platform/health/service/self-check";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import type { completeSetup, getSetup } from "../contract";
import { consumeSetupToken, isSetupNeeded, isSetupToken } from "./setup-token";

export async function readSetup(
  ctx: Context,
  { query }: Input<typeof getSetup>,
): Promise<Output<typeof getSetup>> {
  const needed = await isSetupNeeded(ctx);
  const isTokenValid = needed && query.token != null && (await isSetupToken(ctx, query.token));
  return {
    success: true,
    needed,
    checks: isTokenValid ? await runSelfChecks(ctx, query.browser_time) : null,
  };
}

export async function createFirstAdministrator(
  ctx: Context,
  { body }: Input<typeof completeSetup>,
): Promise<Output<typeof completeSetup>> {
  // Checked before the expensive password hash.
  if (!(await isSetupToken(ctx, body.token))) throw createError("setup_closed");
  await checkNewPassword(body.password, { email: body.email });
  const passwordHash = await hashPassword(body.password);
  return withTransaction(ctx, async (tx) => {
    await lockAdministrators(tx);
    const administratorCount = await tx.db.user.count({ where: { role: "admin" } });
    if (administratorCount > 0 || !(await consumeSetupToken(tx, body.token)))
      throw createError("setup_closed");
    const { name, email } = body;
    // No consents: the legal texts are for customers, and the operator has not published any yet.
    const id = await openAccount(
      tx,
      { name, email, passwordHash, emailVerifiedAt: new Date() },
      {
        consents: {},
        source: "provider",
        credits: WELCOME_CREDITS,
        auditEntry: { action: "account.registered", details: { by: "admin.granted_by_setup" } },
      },
    );
    if (!id) throw countedInvalidField("email", "unique_email");
    await updateUser(tx, { id }, { role: "admin" });
    await audit(tx, {
      action: "admin.granted_by_setup",
      object: { type: "User", id },
      details: { before: "user", after: "admin" },
    });
    const user = await lockCandidate(tx, id);
    const outcome = await signInThroughGates(tx, user!, { method: "password" });
    // A new account with a verified address and no second factor passes every gate.
    if (!("signedIn" in outcome)) throw "refusal" in outcome ? outcome.refusal : createError("setup_closed");
    return outcome.signedIn;
  });
}
