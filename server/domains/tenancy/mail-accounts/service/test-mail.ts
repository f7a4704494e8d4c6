import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, createError, type MailFailure } from "@/server/core/errors";
import { MAIL_LOCALE_SELECT, toMailLocale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { toPlainName } from "@/server/core/plain-name";
import { formatText } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { getResellerBrand } from "@/server/infrastructure/brand/brand";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { runAccountTest } from "@/server/infrastructure/mail/run-account-test";
import { renderMail } from "@/server/infrastructure/mail/template";
import type { testMailAccount } from "../contract";
import { type MailAccountRow, toMailAccount } from "../dto";
import { findMailAccount, resolveHolder } from "./holder";
import { toHolderAuditObject } from "./manage";

export async function runMailAccountTest(
  ctx: Context<UserActor>,
  { params }: { params: { id?: number } },
): Promise<Output<typeof testMailAccount>> {
  const holder = await resolveHolder(ctx, params.id);
  const account = await findMailAccount(ctx, holder);
  if (!account) throw createError("mail_account_missing");
  const { failure, steps } = await sendTestMail(ctx, account);
  await withTransaction(ctx, async (tx) => {
    await recordTestResult(tx, account, failure);
    await audit(tx, {
      action: "mail_account.tested",
      object: toHolderAuditObject(holder),
      details: { outcome: failure ?? "sent" },
    });
  });
  if (failure) throw new AppError("mail_account_failed", { reason: failure, steps });
  const testedAccount = await findMailAccount(ctx, holder);
  if (!testedAccount) throw createError("mail_account_missing");
  return {
    success: true,
    message: formatText(ctx.locale, "responses.mail_account_works"),
    mail_account: toMailAccount(testedAccount),
    steps,
  };
}

async function sendTestMail({ db, sql, actor, locale }: Context<UserActor>, account: MailAccountRow) {
  const { name, email, ...recipient } = await db.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: { name: true, email: true, ...MAIL_LOCALE_SELECT },
  });
  const { host, fromName, fromAddress } = account;
  const brand = await getResellerBrand({ sql }, actor.id);
  const mail = renderMail(
    {
      template: "mail_account_test",
      locale: toMailLocale(recipient, locale),
      params: { name, host, address: fromAddress },
    },
    { url: env().APP_URL, ...brand, name: brand?.name ?? fromName },
  );
  const { reason, ...testResult } = await runAccountTest(
    { ...account, password_sealed: account.passwordSealed },
    { from: { name: toPlainName(fromName), address: fromAddress }, to: email, ...mail },
  );
  if (testResult.failure)
    log.info({ event: "mail.account_test_failed", account: account.id, failure: testResult.failure, reason });
  return testResult;
}

/** Ignores a refused recipient. The `where` skips a mail account that changed during the test. */
async function recordTestResult(
  { db }: Pick<Context, "db">,
  { id, fromAddress, host, port, secure, username, passwordSealed }: MailAccountRow,
  failure: MailFailure | undefined,
): Promise<void> {
  if (failure === "recipient") return;
  const now = new Date();
  await db.mailAccount.updateMany({
    where: { id, fromAddress, host, port, secure, username, passwordSealed },
    data: failure ? { failedAt: now, error: failure } : { verifiedAt: now, failedAt: null, error: null },
  });
}
