import { getTranslations } from "next-intl/server";
import { ViewAsEnded } from "@/components/tenancy/view-as/view-ended";
import { PageHeader } from "@/components/ui/page-header";
import { metadataWithTitle } from "../../page-title";
import { AuthFrame } from "../frame";

export const generateMetadata = metadataWithTitle("viewAs.over.title");

/** Shown after impersonation ended, by timeout or because the permission was revoked. */
export default async function ImpersonationEndedPage() {
  const t = await getTranslations("viewAs.over");
  return (
    <AuthFrame namespaces={["viewAs"]}>
      <PageHeader title={t("title")} description={t("text")} />
      <ViewAsEnded />
    </AuthFrame>
  );
}
