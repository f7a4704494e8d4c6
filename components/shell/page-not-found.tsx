import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "@/components/ui/empty-state";
import { NearestEntries } from "./nearest-entries";

/** "Not found". Also shown for pages whose existence must stay hidden from the account. */
export function PageNotFound() {
  const t = useTranslations("ui.notFound");
  return (
    <EmptyState icon={<Compass />} title={t("title")} heading="h1" action={<NearestEntries />}>
      {t("text")}
    </EmptyState>
  );
}
