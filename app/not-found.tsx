import { Compass } from "lucide-react";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { addressOf } from "@/components/navigation/menu";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("ui.notFound");
  return { title: t("title") };
}

/** No page at this address, or none that this person may know of. */
export default async function NotFound() {
  const t = await getTranslations("ui.notFound");
  return (
    <main id="main" tabIndex={-1} className="grid min-h-[70dvh] place-items-center px-4">
      <div>
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
      </div>
    </main>
  );
}
