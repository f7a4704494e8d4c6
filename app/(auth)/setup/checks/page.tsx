import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { HealthPanel } from "@/components/platform/health/health-panel";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { getCurrentUser } from "@/server/transports/trpc/caller";
import { metadataWithTitle } from "../../../page-title";
import { AuthFrame } from "../../frame";

export const generateMetadata = metadataWithTitle("setup.checks");

/** First page of a new administrator: health of the installation and a link to the panel. */
export default async function SetupChecksPage() {
  const profile = await getCurrentUser();
  if (profile?.user.role !== "admin") redirect("/");
  const t = await getTranslations("setup");
  return (
    <AuthFrame namespaces={["health"]} wide>
      <PageHeader title={t("doneTitle")} description={t("doneText")} />
      <div className="flex flex-col gap-6">
        <div>
          <LinkButton variant="primary" href="/dashboard">
            {t("open")}
          </LinkButton>
        </div>
        <HealthPanel />
      </div>
    </AuthFrame>
  );
}
