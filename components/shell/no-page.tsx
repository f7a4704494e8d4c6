import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { addressOf } from "@/components/navigation/menu";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** There is no page at this address, or none that this person may know of. */
export function NoPage() {
  const t = useTranslations("ui.notFound");
  return (
    <EmptyState
      icon={<Compass />}
      title={t("title")}
      heading="h1"
      action={
        <>
          <LinkButton variant="primary" href={addressOf("dashboard")}>
            {t("dashboard")}
          </LinkButton>
          <LinkButton href={addressOf("docs")}>{t("docs")}</LinkButton>
        </>
      }
    >
      {t("text")}
    </EmptyState>
  );
}
