import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ProviderButtons } from "@/components/access/identities/provider-buttons";
import { SignUp } from "@/components/access/registration/sign-up";
import { SignUpUnavailable } from "@/components/access/registration/sign-up-unavailable";
import { PageHeader } from "@/components/ui/page-header";
import { TextLink } from "@/components/ui/text-link";
import { panelProvidersAt } from "@/server/domains/access/identities/service/providers";
import { signUpsAt } from "@/server/domains/access/registration/service/sign-up-mode";
import { currentUser } from "@/server/transports/trpc/caller";
import { hostOfPage } from "../../brand";
import { pageTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = pageTitle("auth.signUp.title");

/** `?ref=` is a referral code, which counts as an invitation. */
export default async function SignUpPage({ searchParams }: PageProps<"/sign-up">) {
  if (await currentUser()) redirect("/dashboard");
  const host = await hostOfPage();
  const [t, { mode, invited }] = await Promise.all([getTranslations("auth.signUp"), signUpsAt(host)]);
  const code = firstValue((await searchParams).ref);
  const closed = mode === "closed" || (mode === "invitation" && !invited && !code);
  return (
    <AuthFrame
      namespaces={["consents"]}
      footer={
        <p>
          {t("haveAccount")} <TextLink href="/sign-in">{t("signIn")}</TextLink>
        </p>
      }
    >
      {closed ? (
        <SignUpUnavailable why={mode} />
      ) : (
        <>
          <PageHeader title={t("title")} description={t("text")} />
          {/* The return from a provider loses the code, so an invited user would get no reseller. */}
          <ProviderButtons providers={mode === "open" && !code ? panelProvidersAt(host) : []} place="above" />
          <SignUp referralCode={code} />
        </>
      )}
    </AuthFrame>
  );
}
