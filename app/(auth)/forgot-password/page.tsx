import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ForgotPassword } from "@/components/access/sign-in/forgot-password";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { AuthFrame } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.forgot");
  return { title: t("title") };
}

export default async function ForgotPasswordPage() {
  const t = await getTranslations("auth");
  return (
    <AuthFrame
      footer={
        <p>
          {t("forgot.remembered")} <TextLink href="/sign-in">{t("toSignIn")}</TextLink>
        </p>
      }
    >
      <ForgotPassword demo={!env().production} />
    </AuthFrame>
  );
}
