import { Lock } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { EmptyState } from "@/components/ui/empty-state";
import { signedIn } from "../viewer";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("viewAs.closed");
  return { title: t("title") };
}

/** In place of the pages that are closed to visitors. */
export default async function VisitClosedPage() {
  const [t] = await Promise.all([getTranslations("viewAs.closed"), signedIn()]);
  return (
    <EmptyState icon={<Lock />} title={t("title")} heading="h1">
      {t("text")}
    </EmptyState>
  );
}
