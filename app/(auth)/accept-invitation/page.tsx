import { getTranslations } from "next-intl/server";
import { AcceptInvitation } from "@/components/tenancy/team/accept-invitation";
import { TextLink } from "@/components/ui/text-link";
import { isAppError } from "@/server/core/errors";
import { getPanelCaller } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame, firstValue } from "../frame";

export const generateMetadata = metadataWithTitle("auth.invitation.title", { referrer: "no-referrer" });

export default async function AcceptInvitationPage({ searchParams }: PageProps<"/accept-invitation">) {
  const [t, query, { api }] = await Promise.all([getTranslations("auth"), searchParams, getPanelCaller()]);
  const token = firstValue(query.token);
  const response = token
    ? await api.team.getInvitation({ query: { token } }).catch((error: Error) => {
        if (isAppError(error.cause) && error.cause.status === 400) return undefined;
        throw error;
      })
    : undefined;
  return (
    <AuthFrame footer={<TextLink href="/sign-in">{t("toSignIn")}</TextLink>} namespaces={["consents"]}>
      <AcceptInvitation token={token} invitation={response?.invitation} />
    </AuthFrame>
  );
}
