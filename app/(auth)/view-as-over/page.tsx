import { getTranslations } from "next-intl/server";
import { ViewOver } from "@/components/tenancy/view-as/view-over";
import { PageHeader } from "@/components/ui/page-header";
import { pageTitle } from "../../page-title";
import { AuthFrame } from "../frame";

export const generateMetadata = pageTitle("viewAs.over.title");

/** Where a visit to somebody's panel leads that ended by itself: by time, or because it is no longer allowed. */
export default async function ViewOverPage() {
  const t = await getTranslations("viewAs.over");
  return (
    <AuthFrame namespaces={["viewAs"]}>
      <PageHeader title={t("title")} description={t("text")} />
      <ViewOver />
    </AuthFrame>
  );
}
