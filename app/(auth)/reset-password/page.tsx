import { getTranslations } from "next-intl/server";
import { ResetPassword } from "@/components/access/sign-in/reset-password";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { findResetEmail } from "@/server/domains/access/sign-in/service/find-reset-email";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("auth.reset.title", { referrer: "no-referrer" });

export default async function ResetPasswordPage({ searchParams }: PageProps<"/reset-password">) {
  const [t, query] = await Promise.all([getTranslations("auth"), searchParams]);
  const token = firstValue(query.token);
  const email = token ? await findResetEmail(token) : undefined;
  return (
    <AuthFrame footer={<TextLink href="/sign-in">{t("toSignIn")}</TextLink>}>
      <ResetPassword token={token} email={email} demo={!env().production} />
    </AuthFrame>
  );
}
