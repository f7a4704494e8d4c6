"use client";

import { ExternalLink, Inbox } from "lucide-react";
import type { Route } from "next";
import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/ui/link-button";

const MAIL_APPS: readonly { name: string; url: string; addressPattern: RegExp }[] = [
  { name: "Gmail", url: "https://mail.google.com/", addressPattern: /@(gmail|googlemail)\.com$/i },
  {
    name: "Outlook",
    url: "https://outlook.live.com/mail/",
    addressPattern: /@(outlook|hotmail|live|msn)\.[a-z.]+$/i,
  },
  { name: "Yahoo Mail", url: "https://mail.yahoo.com/", addressPattern: /@(yahoo|ymail)\.[a-z.]+$/i },
  { name: "iCloud Mail", url: "https://www.icloud.com/mail/", addressPattern: /@(icloud|me|mac)\.com$/i },
  { name: "Yandex Mail", url: "https://mail.yandex.com/", addressPattern: /@(yandex\.[a-z.]+|ya\.ru)$/i },
  { name: "Mail.ru", url: "https://e.mail.ru/", addressPattern: /@(mail|inbox|list|bk)\.ru$/i },
  {
    name: "Proton Mail",
    url: "https://mail.proton.me/",
    addressPattern: /@(proton\.me|protonmail\.com|pm\.me)$/i,
  },
];

export interface MailShortcutProps {
  email: string;
  demo: boolean;
  /** Small button next to others. */
  inline?: boolean;
}

export function MailShortcut({ email, demo, inline }: MailShortcutProps) {
  const t = useTranslations("auth");
  const style = { block: !inline, size: inline ? "sm" : "md" } as const;
  if (demo)
    return (
      <LinkButton {...style} icon={<Inbox />} href={`/dev/mailbox?to=${encodeURIComponent(email)}` as Route}>
        {t("openMailbox")}
      </LinkButton>
    );
  const mailApp = MAIL_APPS.find(({ addressPattern }) => addressPattern.test(email));
  if (!mailApp) return null;
  return (
    <LinkButton
      {...style}
      icon={<ExternalLink className="mirror" />}
      href={mailApp.url as Route}
      target="_blank"
      rel="noreferrer"
    >
      {t("openApp", { app: mailApp.name })}
    </LinkButton>
  );
}
