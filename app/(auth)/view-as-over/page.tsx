import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { ViewOver } from "@/components/tenancy/view-as/view-over";
import { PageHeader } from "@/components/ui/page-header";
import { AuthFrame } from "../frame";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("viewAs.over");
  return { title: t("title") };
}

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
