import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { MissingPreview, PreviewPage } from "@/components/sites/sites/preview-page";
import { findSiteByWidgetKey, isWidgetActive } from "@/server/domains/sites/sites/service/widget";
import { getAccountBrand } from "@/server/infrastructure/brand/brand";
import { withoutTransaction } from "@/server/infrastructure/database/transaction";
import { getBrandIcon, toBrandProps } from "../../brand";

/** The brand is that of the owner's reseller, because people who open the link may not know the platform. */
const findPreview = cache(async (key: string) => {
  const site = await findSiteByWidgetKey(withoutTransaction(), key);
  if (!site) return null;
  return { site, brand: await getAccountBrand(withoutTransaction(), site.userId) };
});

export async function generateMetadata({ params }: PageProps<"/preview/[key]">): Promise<Metadata> {
  const t = await getTranslations("sites.previewPage");
  const preview = await findPreview((await params).key);
  return {
    title: {
      absolute:
        preview && isWidgetActive(preview.site) ? t("title", { name: preview.site.name }) : t("missing"),
    },
    ...(preview && { icons: { icon: getBrandIcon(preview.brand) } }),
    robots: { index: false, follow: false },
  };
}

/** Preview of a site's widget, for anyone who has the link with its public key. */
export default async function WidgetPreviewPage({ params }: PageProps<"/preview/[key]">) {
  const preview = await findPreview((await params).key);
  if (!preview || !isWidgetActive(preview.site))
    return <MissingPreview brand={preview && toBrandProps(preview.brand)} />;
  const { site, brand } = preview;
  return (
    <PreviewPage
      brand={toBrandProps(brand)}
      site={site}
      widget={{
        title: site.botName || site.name,
        welcomeMessage: site.welcomeMessage,
        color: site.widgetColor,
        position: site.widgetPosition === "bottom-left" ? "bottom-left" : "bottom-right",
      }}
    />
  );
}
