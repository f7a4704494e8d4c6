import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ProviderButtons } from "@/components/access/identities/provider-buttons";
import { SignUp } from "@/components/access/registration/sign-up";
import { PageHeader } from "@/components/ui/page-header";
import { TextLink } from "@/components/ui/text-link";
import { panelProviders } from "@/server/domains/access/identities/service/providers";
import { me } from "@/server/transports/trpc/caller";
import { AuthFrame, firstValue } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("auth.signUp");
  return { title: t("title") };
}

/** `?ref=` carries a referral code. */
export default async function SignUpPage({ searchParams }: PageProps<"/sign-up">) {
  if (await me()) redirect("/dashboard");
  const t = await getTranslations("auth.signUp");
  return (
    <AuthFrame
      namespaces={["consents"]}
      footer={
        <>
          {t("haveAccount")} <TextLink href="/sign-in">{t("signIn")}</TextLink>
        </>
      }
    >
      <PageHeader title={t("title")} description={t("text")} />
      <ProviderButtons providers={panelProviders()} place="above" />
      <SignUp referralCode={firstValue((await searchParams).ref)} />
    </AuthFrame>
  );
}
