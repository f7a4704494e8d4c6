import { Compass } from "lucide-react";
import { useTranslations } from "next-intl";
import { EmptyState } from "@/components/ui/empty-state";
import { NearestEntries } from "./nearest-entries";

/** There is no page at this address, or none that this person may know of. */
export function NoPage() {
  const t = useTranslations("ui.notFound");
  return (
    <EmptyState icon={<Compass />} title={t("title")} heading="h1" action={<NearestEntries />}>
      {t("text")}
    </EmptyState>
  );
}
