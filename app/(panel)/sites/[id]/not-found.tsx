import { Globe } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export default async function SiteNotFound() {
  const t = await getTranslations("sites");
  return (
    <EmptyState
      icon={<Globe />}
      heading="h1"
      title={t("missing.title")}
      action={
        <LinkButton variant="primary" href="/sites">
          {t("agent.back")}
        </LinkButton>
      }
    >
      {t("missing.text")}
    </EmptyState>
  );
}
