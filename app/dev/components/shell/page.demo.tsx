import { Globe } from "lucide-react";
import { cookies } from "next/headers";
import { getTranslations } from "next-intl/server";
import { Credits } from "@/components/shell/credits";
import { GalleryShell } from "@/components/shell/gallery-shell";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { parseTheme } from "@/components/ui/preference";

async function noop() {
  "use server";
}

export default async function ShellSample() {
  const t = await getTranslations("gallery");
  const cookieStore = await cookies();
  return (
    <GalleryShell
      brand={{ name: "Tellal" }}
      user={{ name: "İbrahim Yıldız", email: "customer@example.com" }}
      viewer="customer"
      credits={<Credits balance={1240} />}
      theme={parseTheme(cookieStore.get("theme")?.value)}
      collapsed={cookieStore.get("menu")?.value === "collapsed"}
      banners={{ mailUnverified: <Banner tone="info">{t("mailBanner")}</Banner> }}
      onSignOut={noop}
    >
      <PageHeader
        title={t("emptyTitle")}
        description={t("text")}
        actions={<Button variant="primary">{t("siteNew")}</Button>}
      />
      <Card>
        <EmptyState
          icon={<Globe />}
          title={t("emptyTitle")}
          action={<Button variant="primary">{t("siteNew")}</Button>}
        >
          {t("emptyText")}
        </EmptyState>
      </Card>
    </GalleryShell>
  );
}
