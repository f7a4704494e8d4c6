import { Compass } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { buttonStyle } from "@/components/ui/button-style";
import { EmptyState } from "@/components/ui/empty-state";
import { metadataWithTitle } from "./page-title";

export const generateMetadata = metadataWithTitle("ui.notFound.title");

/** "Not found". Uses plain links, because this page's code is part of every page. */
export default async function NotFound() {
  const t = await getTranslations("ui.notFound");
  return (
    <main id="main" tabIndex={-1} className="grid min-h-[70dvh] place-items-center px-4">
      <EmptyState
        icon={<Compass />}
        title={t("title")}
        heading="h1"
        action={
          <>
            <a href="/dashboard" className={buttonStyle({ variant: "primary" })}>
              {t("dashboard")}
            </a>
            <a href="/docs" className={buttonStyle({})}>
              {t("docs")}
            </a>
          </>
        }
      >
        {t("text")}
      </EmptyState>
    </main>
  );
}
