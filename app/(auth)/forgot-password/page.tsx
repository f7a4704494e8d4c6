import { getTranslations } from "next-intl/server";
import { ForgotPassword } from "@/components/access/sign-in/forgot-password";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame } from "../frame";

export const generateMetadata = metadataWithTitle("auth.forgot.title");

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
