"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { ResendButton } from "./resend-button";

/** Sends the verification mail again, next to the address in the panel. */
export function ResendMail({ email }: { email: string }) {
  const t = useTranslations("settings.mail");
  const resend = api.verification.resend.useMutation();
  return <ResendButton inline label={t("resend")} send={() => resend.mutateAsync({ body: { email } })} />;
}
