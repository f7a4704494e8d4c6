import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { NoPage } from "@/components/shell/no-page";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("ui.notFound");
  return { title: t("title") };
}

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="grid min-h-[70dvh] place-items-center px-4">
      <div>
        <NoPage />
      </div>
    </main>
  );
}
