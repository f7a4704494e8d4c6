"use client";

import { useTranslations } from "next-intl";
import { Banner } from "@/components/ui/banner";
import { Ltr } from "@/components/ui/bidi";
import { ResendVerificationButton } from "./resend-verification-button";

export function UnverifiedEmailBanner({ email }: { email: string }) {
  const t = useTranslations("settings.mail");
  return (
    <Banner
      tone="info"
      dismissKey={`unverified ${email}`}
      action={<ResendVerificationButton email={email} />}
    >
      {t.rich("unverified", { email: () => <Ltr>{email}</Ltr> })}
    </Banner>
  );
}
