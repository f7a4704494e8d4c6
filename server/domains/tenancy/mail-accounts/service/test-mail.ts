import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, type MailFailure, refuse } from "@/server/core/errors";
import { isLocale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service";
import { resellerBrand } from "@/server/infrastructure/brand/brand";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { failureOf } from "@/server/infrastructure/mail/failure";
import { accountTransport } from "@/server/infrastructure/mail/smtp";
import { renderMail } from "@/server/infrastructure/mail/template";
import type { testMailAccount } from "../contract";
import { type AccountRow, accountOf } from "../dto";
import { findAccount, holderOf } from "./holder";
import { objectOf } from "./manage";

/**
 * Sends a test mail to the caller and waits for the result. It verifies the account as it was read; an account that
 * was changed meanwhile stays unverified.
 */
export async function test(
  ctx: Context<UserActor>,
  { params }: { params: { id?: number } },
): Promise<Output<typeof testMailAccount>> {
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
    message: text(ctx.locale, "responses.mail_account_works"),
    mail_account: accountOf(now),
  };
}

/** Returns why it could not be sent; undefined when it was. */
async function send(
  { db, sql, actor, locale: fallback }: Context<UserActor>,
  account: AccountRow,
): Promise<MailFailure | undefined> {
  const { name, email, locale } = await db.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: { name: true, email: true, locale: true },
  });
  const { host, fromName, fromAddress } = account;
  const above = await resellerBrand({ sql }, actor.id);
  const mail = renderMail(
    {
      template: "mail_account_test",
      locale: isLocale(locale) ? locale : fallback,
      params: { name, host, address: fromAddress },
    },
    { url: env().APP_URL, ...above, name: above?.name ?? fromName },
  );
  try {
    const transport = await accountTransport({ ...account, password_sealed: account.passwordSealed });
    await transport.sendMail({
      from: { name: fromName, address: fromAddress },
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

/** A refused recipient says nothing about the account. */
async function note(
  { db }: Pick<Context, "db">,
  { id, fromAddress, host, port, secure, username, passwordSealed }: AccountRow,
  failure: MailFailure | undefined,
): Promise<void> {
  if (failure === "recipient") return;
  const now = new Date();
  await db.mailAccount.updateMany({
    where: { id, fromAddress, host, port, secure, username, passwordSealed },
    data: failure ? { failedAt: now, error: failure } : { verifiedAt: now, failedAt: null, error: null },
  });
}
