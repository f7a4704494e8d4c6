import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ResetPassword } from "@/components/access/sign-in/reset-password";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { AuthFrame, firstValue } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.reset");
  return { title: t("title"), referrer: "no-referrer" };
}

/** `?token=` and `?email=` are those of the mailed link. */
export default async function ResetPasswordPage({ searchParams }: PageProps<"/reset-password">) {
  const { token, email } = await searchParams;
  const t = await getTranslations("auth");
  return (
    <AuthFrame footer={<TextLink href="/sign-in">{t("toSignIn")}</TextLink>}>
      <ResetPassword token={firstValue(token)} email={firstValue(email)} demo={!env().production} />
    </AuthFrame>
  );
}
