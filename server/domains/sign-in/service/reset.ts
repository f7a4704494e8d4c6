import type { Context } from "@/server/core/context";
import type { Answer, Input } from "@/server/core/contract";
import { type AppError, isAppError, refuse } from "@/server/core/errors";
import { isLocale } from "@/server/core/locale";
import { emailKey } from "@/server/core/schema";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/audit/service";
import { revokeAll } from "@/server/domains/tokens/service";
import { withStatements } from "@/server/infrastructure/database/transaction";
import { platformBrand } from "@/server/infrastructure/mail/brand";
import { queueMail } from "@/server/infrastructure/mail/outbox";
import { hashPassword } from "@/server/infrastructure/secrets/password";
import { digest, isToken } from "@/server/infrastructure/secrets/tokens";
import type { resetPassword } from "../contract";
import { findCandidate } from "./candidate";
import { applyGates } from "./gates";

type Body = Input<typeof resetPassword>["body"];
type Outcome = Answer<typeof resetPassword>;

/**
 * Changes the password by a mailed link, ends everything that was signed in, then tries to sign in under
 * the same gates as a login. A gate that refuses does not undo the change.
 */
export async function reset(ctx: Context, { body }: Input<typeof resetPassword>): Promise<Outcome> {
  // Hashing costs; a dead link is not worth it.
  if (!(await isLive(ctx, body))) throw refuse("reset_invalid");
  const passwordHash = await hashPassword(body.password);
  return withStatements(ctx, async (tx) => {
    const [changed] = await tx.sql<{ id: number; name: string; email: string; locale: string | null }>`
      with spent as (
        delete from password_resets
         where token_hash = ${digest(body.token)} and email_key = ${emailKey(body.email)} and expires_at > now()
        returning user_id, email_key
      )
      update users u set password_hash = ${passwordHash}, updated_at = now()
        from spent where u.id = spent.user_id and u.email_key = spent.email_key
      returning u.id, u.name, u.email, u.locale`;
    if (!changed) throw refuse("reset_invalid");
    await revokeAll(tx.sql, changed.id);
    await audit(tx, {
      action: "password.reset",
      object: { type: "User", id: changed.id },
      actorId: changed.id,
    });
    await tellOwner(tx, changed);
    return signIn(tx, changed.id);
  });
}

async function isLive({ sql }: Context, { token, email }: Body): Promise<boolean> {
  if (!isToken(token, "dsr")) return false;
  const rows = await sql`
    select 1 from password_resets
     where token_hash = ${digest(token)} and email_key = ${emailKey(email)} and expires_at > now()`;
  return rows.length > 0;
}

async function tellOwner(
  { sql, locale }: Pick<Context, "sql" | "locale">,
  user: { id: number; name: string; email: string; locale: string | null },
): Promise<void> {
  const brand = platformBrand();
  await queueMail(
    sql,
    { userId: user.id, address: user.email },
    {
      template: "password_changed",
      locale: isLocale(user.locale) ? user.locale : locale,
      brand,
      params: { name: user.name },
      link: `${brand.url}/forgot-password`,
    },
  );
}

async function signIn(tx: Omit<Context, "db">, userId: number): Promise<Outcome> {
  const user = await findCandidate(tx.sql, { id: userId });
  const changed = { success: true as const, message: text(tx.locale, "answers.password_changed") };
  try {
    const { user: signedIn, token, modules } = await applyGates(tx, user!, "reset");
    const { id, name, email, role } = signedIn;
    return { ...changed, auto_login: true, user: { id, name, email, role }, token, modules };
  } catch (error) {
    if (isAppError(error)) return { ...changed, auto_login: false, ...whyNot(error) };
    throw error;
  }
}

/** The gate's own fields say why there is no sign-in; an error that is no gate goes on. */
function whyNot(error: AppError) {
  if (error.code === "email_unverified") return error.fields as AppError<"email_unverified">["fields"];
  if (error.code === "account_disabled") return error.fields as AppError<"account_disabled">["fields"];
  throw error;
}
