import type { Context, UserActor } from "@/server/core/context";
import { type ExternalService, ExternalServiceError } from "@/server/core/domain";
import { env } from "@/server/core/env";
import { MAIL_LOCALE_SELECT, toMailLocale } from "@/server/core/locale";
import { getPlatformBrand } from "@/server/infrastructure/brand/brand";
import { classifyMailFailure, getSystemTransport } from "@/server/infrastructure/mail/smtp";
import { renderMail } from "@/server/infrastructure/mail/template";
import { StorageError } from "@/server/infrastructure/storage/driver";
import { storage } from "@/server/infrastructure/storage/storage";

const MAIL_FIXES = { auth: "mailAuth", tls: "mailTls", sender: "mailSender", unreachable: "outgoing_mail" };

export const platformServices = {
  smtp: {
    label: "SMTP",
    settings: "SMTP_URL, MAIL_FROM",
    isConfigured: () => Boolean(env().SMTP_URL),
    test: sendTestMail,
  },
  s3: {
    label: "S3",
    settings: "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY",
    isConfigured: () => Boolean(env().s3),
    async test() {
      await storage()
        .checkAccess()
        .catch((cause: unknown) => {
          const isRefused = cause instanceof StorageError && cause.isPermanent;
          throw new ExternalServiceError(isRefused ? "refused" : "unreachable", { cause });
        });
    },
  },
} satisfies Record<string, ExternalService>;

/** Sends a test mail to the caller: only its arrival proves delivery. */
async function sendTestMail({ db, actor, locale }: Context<UserActor>): Promise<void> {
  const { SMTP_URL, MAIL_FROM } = env();
  const { name, email, ...recipient } = await db.user.findUniqueOrThrow({
    where: { id: actor.id },
    select: { name: true, email: true, ...MAIL_LOCALE_SELECT },
  });
  const mail = renderMail(
    {
      template: "mail_server_test",
      locale: toMailLocale(recipient, locale),
      params: { name, host: new URL(SMTP_URL!).host },
      path: "/admin/health",
    },
    getPlatformBrand(),
  );
  const to = { name: "", address: email };
  await getSystemTransport()
    .sendMail({ from: MAIL_FROM, to, ...mail })
    .catch((cause: unknown) => {
      const failure = classifyMailFailure(cause);
      const fix = MAIL_FIXES[failure as keyof typeof MAIL_FIXES];
      throw new ExternalServiceError(failure === "unreachable" ? "unreachable" : "refused", { cause, fix });
    });
}
