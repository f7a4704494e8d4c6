"use client";

import { useTranslations } from "next-intl";
import { publicCall } from "@/components/api/public-call";
import { ResendButton } from "./resend-button";

export function ResendVerificationButton({ email }: { email: string }) {
  const t = useTranslations("settings.mail");
  return (
    <ResendButton
      inline
      label={t("resend")}
      send={() => publicCall.verification.resend.mutate({ body: { email } })}
    />
  );
}
