import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { ProviderButtons } from "@/components/access/identities/provider-buttons";
import { SignUp } from "@/components/access/registration/sign-up";
import { SignUpUnavailable } from "@/components/access/registration/sign-up-unavailable";
import { PageHeader } from "@/components/ui/page-header";
import { TextLink } from "@/components/ui/text-link";
import { listPanelProvidersForHost } from "@/server/domains/access/identities/service/providers";
import { readSignUpMode } from "@/server/domains/access/registration/service/sign-up-mode";
import { WELCOME_CREDITS } from "@/server/domains/accounts/credits/service/credits";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import { getPageHost } from "../../brand";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("auth.signUp.title");

/** `?ref=` is a referral code, which counts as an invitation. */
export default async function SignUpPage({ searchParams }: PageProps<"/sign-up">) {
  if (await getCurrentUser()) redirect("/dashboard");
  const host = await getPageHost();
  const [t, { mode, isInvited }] = await Promise.all([getTranslations("auth.signUp"), readSignUpMode(host)]);
  const referralCode = firstValue((await searchParams).ref);
  const isClosed = mode === "closed" || (mode === "invitation" && !isInvited && !referralCode);
  return (
    <AuthFrame
      namespaces={["consents"]}
      footer={
        <p>
          {t("haveAccount")} <TextLink href="/sign-in">{t("signIn")}</TextLink>
        </p>
      }
    >
      {isClosed ? (
        <SignUpUnavailable reason={mode} />
      ) : (
        <>
          <PageHeader title={t("title")} description={t("text", { credits: WELCOME_CREDITS })} />
          {/* A provider's sign-in loses the code, so the new account would have no reseller. */}
          <ProviderButtons
            providers={mode === "open" && !referralCode ? listPanelProvidersForHost(host) : []}
            place="above"
          />
          <SignUp referralCode={referralCode} />
        </>
      )}
    </AuthFrame>
  );
}
