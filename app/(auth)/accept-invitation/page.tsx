import { getTranslations } from "next-intl/server";
import { AcceptInvitation } from "@/components/tenancy/team/accept-invitation";
import { TextLink } from "@/components/ui/text-link";
import { getPanel } from "@/server/transports/trpc/caller";
import { pageTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = pageTitle("auth.invitation.title", { referrer: "no-referrer" });

export default async function AcceptInvitationPage({ searchParams }: PageProps<"/accept-invitation">) {
  const [t, query, { api }] = await Promise.all([getTranslations("auth"), searchParams, getPanel()]);
  const token = firstValue(query.token);
  const response = token
    ? await api.team.getInvitation({ query: { token } }).catch(() => undefined)
    : undefined;
  return (
    <AuthFrame footer={<TextLink href="/sign-in">{t("toSignIn")}</TextLink>} namespaces={["consents"]}>
      <AcceptInvitation token={token} invitation={response?.invitation} />
    </AuthFrame>
  );
}
