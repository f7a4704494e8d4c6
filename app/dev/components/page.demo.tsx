import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { LanguageSwitch } from "@/components/shell/language-switch";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { Logo } from "@/components/ui/logo";
import { PageHeader } from "@/components/ui/page-header";
import { parseTheme } from "@/components/ui/preference";
import { LOCALE_LABELS } from "@/server/core/locale";
import { metadataWithTitle } from "../../page-title";
import { DataSection } from "./data-section";
import { FeedbackSection } from "./feedback-section";
import { FormSection } from "./form-section";
import { OverlaySection } from "./overlay-section";

export const generateMetadata = metadataWithTitle("gallery.title");

/** Shows every UI component in its states. Used by the screenshot tests. */
export default async function GalleryPage() {
  const t = await getTranslations("gallery");
  const theme = parseTheme((await cookies()).get("theme")?.value);
  return (
    <main id="main" tabIndex={-1} className="mx-auto w-full max-w-page px-4 py-8 sm:px-6 lg:px-8">
      <div className="mb-10 flex items-center justify-between gap-4">
        <Logo brand={{ name: "Tellal" }} />
        <div className="flex items-center gap-1">
          <LanguageSwitch languages={LOCALE_LABELS} />
          <ThemeSwitch theme={theme} />
        </div>
      </div>
      <PageHeader title={t("title")} description={t("text")} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <FormSection />
        <OverlaySection />
        <DataSection />
        <FeedbackSection />
      </div>
    </main>
  );
}
