import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "@/components/ui/empty-state";
import { NearestMenuLinks } from "./nearest-menu-links";

/** "Not found". Also shown for pages whose existence must stay hidden from the account. */
export function PageNotFound() {
  const t = useTranslations("ui.notFound");
  return (
    <EmptyState icon={<Compass />} title={t("title")} heading="h1" action={<NearestMenuLinks />}>
      {t("text")}
    </EmptyState>
  );
}
