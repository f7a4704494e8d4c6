import type { Context, UserActor } from "@/server/core/context";
import type { Answer } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, type MailFailure, refuse } from "@/server/core/errors";
import { isLocale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/audit/service";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { failureOf } from "@/server/infrastructure/mail/failure";
import { accountTransport } from "@/server/infrastructure/mail/smtp";
import { renderMail } from "@/server/infrastructure/mail/template";
import type { testMailAccount } from "../contract";
import { type AccountRow, accountOf, findAccount, holderOf } from "./holder";
import { objectOf } from "./manage";

/**
 * Sends a test mail to the caller, now: he waits for what becomes of it. What it proves is the account as it was read;
 * one that was changed meanwhile is not verified by it.
 */
export async function test(
  ctx: Context<UserActor>,
  { params }: { params: { id?: number } },
): Promise<Answer<typeof testMailAccount>> {
  const holder = await holderOf(ctx, params.id);
  const account = await findAccount(ctx, holder);
  if (!account) throw refuse("mail_account_missing");
  const failure = await send(ctx, account);
  await withTransaction(ctx, async (tx) => {
    await note(tx, account, failure);
    await audit(tx, {
      action: "mail_account.tested",
      object: objectOf(holder),
      details: { outcome: failure ?? "sent" },
    });
  });
  if (failure) throw new AppError("mail_account_failed", { reason: failure });
  const now = await findAccount(ctx, holder);
  if (!now) throw refuse("mail_account_missing");
  return {
    success: true,
    message: text(ctx.locale, "answers.mail_account_works"),
    mail_account: accountOf(now),
  };
}

/** Why it could not be sent; undefined when it was. */
async function send(
  { sql, actor, locale: fallback }: Context<UserActor>,
  account: AccountRow,
): Promise<MailFailure | undefined> {
  const [caller] = await sql<{ name: string; email: string; locale: string | null }>`
    select name, email, locale from users where id = ${actor.id}`;
  const { name, email, locale } = caller!;
  const { host, from_name, from_address } = account;
  const mail = renderMail(
    {
      template: "mail_account_test",
      locale: isLocale(locale) ? locale : fallback,
      params: { name, host, address: from_address },
    },
    { name: from_name, url: env().APP_URL },
  );
  try {
    const transport = await accountTransport(account);
    await transport.sendMail({
      from: { name: from_name, address: from_address },
      to: { name: "", address: email },
      ...mail,
    });
    return undefined;
  } catch (error) {
    const failure = failureOf(error);
    log.info({
      event: "mail.account_test_failed",
      account: account.id,
      failure,
      reason: (error as Error).message,
    });
    return failure;
  }
}

/** A recipient who is refused says nothing against the account. */
async function note(
  { sql }: Pick<Context, "sql">,
  { id, from_address, host, port, secure, username, password_sealed }: AccountRow,
  failure: MailFailure | undefined,
): Promise<void> {
  if (failure === "recipient") return;
  await sql`
    update mail_accounts
       set verified_at = case when ${failure ?? null}::text is null then now() else verified_at end,
           failed_at = case when ${failure ?? null}::text is null then null else now() end, error = ${failure ?? null}
     where id = ${id} and from_address = ${from_address} and host = ${host} and port = ${port} and secure = ${secure}
       and username is not distinct from ${username} and password_sealed is not distinct from ${password_sealed}`;
}
