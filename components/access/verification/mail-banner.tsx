"use client";

import { useTranslations } from "next-intl";
import { Banner } from "@/components/ui/banner";
import { Ltr } from "@/components/ui/bidi";
import { ResendMail } from "./resend-mail";

export function MailBanner({ email }: { email: string }) {
  const t = useTranslations("settings.mail");
  return (
    <Banner tone="info" action={<ResendMail email={email} />}>
      {t.rich("unverified", { email: () => <Ltr>{email}</Ltr> })}
    </Banner>
  );
}
