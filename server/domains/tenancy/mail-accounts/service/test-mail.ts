import type { Context, UserActor } from "@/server/core/context";
import type { Output } from "@/server/core/contract";
import { env } from "@/server/core/env";
import { AppError, type MailFailure, refuse } from "@/server/core/errors";
import { isLocale } from "@/server/core/locale";
import { log } from "@/server/core/log";
import { plainName } from "@/server/core/plain-name";
import { text } from "@/server/core/texts";
import { audit } from "@/server/domains/accounts/audit/service/audit";
import { resellerBrand } from "@/server/infrastructure/brand/brand";
import { withTransaction } from "@/server/infrastructure/database/transaction";
import { runAccountTest } from "@/server/infrastructure/mail/account-test";
import { renderMail } from "@/server/infrastructure/mail/template";
import type { testMailAccount } from "../contract";
import { type AccountRow, accountOf } from "../dto";
import { findAccount, holderOf } from "./holder";
import { objectOf } from "./manage";

/** Verifies the account as read; one that was changed during the test stays unverified. */
export async function testAccount(
  ctx: Context<UserActor>,
  { params }: { params: { id?: number } },
): Promise<Output<typeof testMailAccount>> {
  const holder = await holderOf(ctx, params.id);
  const account = await findAccount(ctx, holder);
  if (!account) throw refuse("mail_account_missing");
  const { failure, steps } = await sendTestMail(ctx, account);
  await withTransaction(ctx, async (tx) => {
    await recordResult(tx, account, failure);
    await audit(tx, {
      action: "mail_account.tested",
      object: objectOf(holder),
      details: { outcome: failure ?? "sent" },
    });
  });
  if (failure) throw new AppError("mail_account_failed", { reason: failure, steps });
  const tested = await findAccount(ctx, holder);
  if (!tested) throw refuse("mail_account_missing");
  return {
    success: true,
    message: text(ctx.locale, "responses.mail_account_works"),
    mail_account: accountOf(tested),
    steps,
  };
}

async function sendTestMail({ db, sql, actor, locale: fallback }: Context<UserActor>, account: AccountRow) {
  const { name, email, locale } = await db.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: { name: true, email: true, locale: true },
  });
  const { host, fromName, fromAddress } = account;
  const brand = await resellerBrand({ sql }, actor.id);
  const mail = renderMail(
    {
      template: "mail_account_test",
      locale: isLocale(locale) ? locale : fallback,
      params: { name, host, address: fromAddress },
    },
    { url: env().APP_URL, ...brand, name: brand?.name ?? fromName },
  );
  const { reason, ...trial } = await runAccountTest(
    { ...account, password_sealed: account.passwordSealed },
    { from: { name: plainName(fromName), address: fromAddress }, to: email, ...mail },
  );
  if (trial.failure)
    log.info({ event: "mail.account_test_failed", account: account.id, failure: trial.failure, reason });
  return trial;
}

/** Stores the result. A refused recipient proves nothing about the account. */
async function recordResult(
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
