import { clsx } from "clsx";
import { EyeOff } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { Domain } from "@/components/ui/domain";
import { EmptyState } from "@/components/ui/empty-state";
import { type BrandProps, Logo } from "@/components/ui/logo";
import { getTextDirection } from "@/server/core/locale";
import { getWidgetColors, parseHex } from "./contrast";
import { getMockPageStyles } from "./mock-palette";
import { PreviewWidget } from "./preview-widget";
import { WidgetConversation } from "./widget-mock";
import type { WidgetPosition } from "./widget-preview";

export interface PreviewPageProps {
  brand: BrandProps;
  site: { name: string; domain: string };
  widget: { title: string; welcomeMessage: string; color: string; position: WidgetPosition };
}

/** Sample shop with the widget of a site, for people without an account. */
export function PreviewPage({ brand, site, widget }: PreviewPageProps) {
  const t = useTranslations("sites.previewPage");
  return (
    <>
      <PreviewBar brand={brand}>
        <Badge>{t("badge")}</Badge>
        <p className="min-w-0 text-sm">{t.rich("text", { domain: () => <Domain name={site.domain} /> })}</p>
      </PreviewBar>
      <main id="main" tabIndex={-1} className="min-h-dvh text-fg" style={getMockPageStyles("light")}>
        <div className="mx-auto flex max-w-page flex-col gap-8 px-4 py-8 sm:px-6 lg:px-8">
          <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-border border-b pb-5">
            <h1 className="wrap-anywhere min-w-0 font-semibold text-h1">
              <bdi>{site.name}</bdi>
            </h1>
            <p className="wrap-anywhere text-fg-muted text-sm">
              <Domain name={site.domain} />
            </p>
          </header>
          <section aria-label={t("shop")} className="flex flex-col gap-4">
            <h2 className="font-semibold text-base">{t("shop")}</h2>
            <p className="max-w-[60ch] text-fg-muted text-sm">{t("note")}</p>
            <div aria-hidden className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-4">
              {PRODUCT_WIDTHS.map((width) => (
                <div
                  key={width}
                  className="flex flex-col gap-3 rounded-card border border-border bg-surface p-4"
                >
                  <span className="block aspect-square rounded-control bg-sunken" />
                  <span className="block h-3 rounded-control bg-border" style={{ width }} />
                  <span className="block h-3 w-1/3 rounded-control bg-border" />
                </div>
              ))}
            </div>
          </section>
        </div>
      </main>
      <CornerWidget {...widget} />
    </>
  );
}

function CornerWidget({ title, welcomeMessage, color, position }: PreviewPageProps["widget"]) {
  const t = useTranslations("widget");
  const direction = getTextDirection(useLocale());
  const colors = getWidgetColors(parseHex(color) ?? "#4F46E5", "light");
  return (
    // Left-to-right, because the corners are physical here.
    <section
      aria-label={title}
      dir="ltr"
      className={clsx(
        "pointer-events-none fixed inset-x-0 bottom-0 flex max-h-dvh flex-col gap-3 p-4 text-fg",
        position === "bottom-right" ? "items-end" : "items-start",
      )}
      style={{ ...getMockPageStyles("light"), backgroundColor: "transparent" }}
    >
      <PreviewWidget
        labels={{ open: t("open"), close: t("close") }}
        colors={colors}
        conversation={
          <WidgetConversation
            title={title}
            welcomeMessage={welcomeMessage}
            colors={colors}
            isPhone={false}
            direction={direction}
          />
        }
      />
    </section>
  );
}

const PRODUCT_WIDTHS = ["82%", "64%", "91%", "55%", "73%", "87%", "60%", "78%"];

/** Shown for suspended, deleted and unknown sites alike. */
export function MissingPreview({ brand }: { brand: BrandProps | null }) {
  const t = useTranslations("sites.previewPage");
  return (
    <>
      {brand ? <PreviewBar brand={brand} /> : null}
      <main id="main" tabIndex={-1} className="mx-auto max-w-form px-4 py-16">
        <EmptyState icon={<EyeOff />} heading="h1" title={t("missing")}>
          {t("missingText")}
        </EmptyState>
      </main>
    </>
  );
}

function PreviewBar({ brand, children }: { brand: BrandProps; children?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-border border-b bg-surface px-4 py-3 sm:px-6 lg:px-8">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">{children}</div>
      <Logo brand={brand} />
    </header>
  );
}
