"use client";

import { ExternalLink, Inbox } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/ui/link-button";

const MAIL_APPS: readonly { name: string; url: string; domains: RegExp }[] = [
  { name: "Gmail", url: "https://mail.google.com/", domains: /@(gmail|googlemail)\.com$/i },
  {
    name: "Outlook",
    url: "https://outlook.live.com/mail/",
    domains: /@(outlook|hotmail|live|msn)\.[a-z.]+$/i,
  },
  { name: "Yahoo Mail", url: "https://mail.yahoo.com/", domains: /@(yahoo|ymail)\.[a-z.]+$/i },
  { name: "iCloud Mail", url: "https://www.icloud.com/mail/", domains: /@(icloud|me|mac)\.com$/i },
  { name: "Yandex Mail", url: "https://mail.yandex.com/", domains: /@(yandex\.[a-z.]+|ya\.ru)$/i },
  { name: "Mail.ru", url: "https://e.mail.ru/", domains: /@(mail|inbox|list|bk)\.ru$/i },
  { name: "Proton Mail", url: "https://mail.proton.me/", domains: /@(proton\.me|protonmail\.com|pm\.me)$/i },
];

export function MailShortcut({ email, demo }: { email: string; demo: boolean }) {
  const t = useTranslations("auth");
  if (demo)
    return (
      <LinkButton block icon={<Inbox />} href={`/dev/mailbox?to=${encodeURIComponent(email)}` as Route}>
        {t("openMailbox")}
      </LinkButton>
    );
  const app = MAIL_APPS.find(({ domains }) => domains.test(email));
  if (!app) return null;
  return (
    <LinkButton
      block
      icon={<ExternalLink className="mirror" />}
      href={app.url as Route}
      target="_blank"
      rel="noreferrer"
    >
      {t("openApp", { app: app.name })}
    </LinkButton>
  );
}
