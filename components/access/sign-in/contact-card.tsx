"use client";

import { Mail, Phone } from "lucide-react";
import { useTranslations } from "next-intl";
import { PhoneNumber } from "@/components/access/verification/phone-number";
import { Bdi, Ltr } from "@/components/ui/bidi";
import { CopyButton } from "@/components/ui/copy-button";
import type { Contact } from "@/server/domains/access/sign-in/contract";

const linkStyle =
  "inline-flex min-h-11 items-center gap-3 rounded-control text-base text-primary-text underline decoration-primary-text/35 underline-offset-4 hover:decoration-primary-text";

export function ContactCard({ contact }: { contact: Contact }) {
  const t = useTranslations("auth.disabled");
  const { source, name, email, phone } = contact;
  const lines = [name, email, phone].filter((line): line is string => Boolean(line));
  return (
    <section aria-label={t(`source.${source}`)} className="rounded-card border border-border bg-surface p-5">
      <p className="text-compact text-fg-muted">{t(`source.${source}`)}</p>
      {name ? (
        <p className="mt-0.5 font-semibold text-base">
          <Bdi>{name}</Bdi>
        </p>
      ) : null}
      <div className="mt-2 flex flex-col items-start">
        {email ? (
          <a href={`mailto:${email}`} className={linkStyle}>
            <Mail aria-label={t("email")} />
            <span className="wrap-anywhere">
              <Ltr>{email}</Ltr>
            </span>
          </a>
        ) : null}
        {phone ? (
          <a href={`tel:${phone}`} className={linkStyle}>
            <Phone aria-label={t("phone")} />
            <PhoneNumber value={phone} />
          </a>
        ) : null}
      </div>
      {lines.length > 0 ? (
        <div className="mt-3">
          <CopyButton text={lines.join("\n")} label={t("copy")} size="sm" />
        </div>
      ) : null}
    </section>
  );
}
