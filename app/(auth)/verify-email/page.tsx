import { getTranslations } from "next-intl/server";
import { VerifyEmail } from "@/components/access/verification/verify-email";
import { TextLink } from "@/components/ui/text-link";
import { env } from "@/server/core/env";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("auth.verify.title", { referrer: "no-referrer" });

/** `?token=` is from a mailed link, `?email=` the address to verify. Opening does not use the link up. */
export default async function VerifyEmailPage({ searchParams }: PageProps<"/verify-email">) {
  const { token, email } = await searchParams;
  const user = (await getCurrentUser())?.user;
  const t = await getTranslations("auth");
  return (
    <AuthFrame footer={user ? undefined : <TextLink href="/sign-in">{t("toSignIn")}</TextLink>}>
      <VerifyEmail
        token={firstValue(token)}
        email={firstValue(email)}
        signedInAccount={user && { email: user.email, verified: user.email_verified_at !== null }}
        demo={!env().production}
      />
    </AuthFrame>
  );
}
