"use client";

import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Logo } from "@/components/ui/logo";
import { useFormat } from "@/components/ui/use-format";
import { buildBrandPalette, THEMES, type ThemeName } from "@/server/core/brand-colour";
import type { Brand } from "@/server/domains/tenancy/brands/contract";
import { buildBrandVariables } from "./brand-variables";
import { toPicturePath } from "./picture-path";
import { THEME_STYLES } from "./theme-styles";

const HEX_COLOUR = /^#[0-9a-f]{6}$/i;

export interface BrandPreviewProps {
  name: string;
  color: string;
  brand: Brand | null;
}

/** Previews unsaved values in both themes. The server computes the palette with the same function. */
export function BrandPreview({ name, color, brand }: BrandPreviewProps) {
  const t = useTranslations("branding");
  const palette = HEX_COLOUR.test(color) ? buildBrandPalette(color) : color ? (brand?.palette ?? null) : null;
  const previewBrand = {
    name: name || "…",
    isResellerBrand: true,
    icon: toPicturePath(brand?.icon_url),
    logo: toPicturePath(brand?.logo_url),
  };
  const darkLogo = toPicturePath(brand?.logo_dark_url) ?? previewBrand.logo;
  return (
    <section aria-label={t("preview")} className="flex flex-col gap-3">
      <h3 className="font-medium text-sm">{t("preview")}</h3>
      <div className="grid gap-4 max-lg:sm:grid-cols-2">
        {THEMES.map((theme) => (
          <figure
            key={theme}
            style={{ ...THEME_STYLES[theme], ...(palette && buildBrandVariables(palette[theme])) }}
            className="flex min-w-0 flex-col gap-4 rounded-card border border-border bg-bg p-4 text-fg"
          >
            <figcaption className="text-compact text-fg-muted">{t(`theme.${theme}`)}</figcaption>
            <div className="flex min-w-0 flex-col gap-4 rounded-card border border-border bg-surface p-4">
              <Logo brand={{ ...previewBrand, logo: theme === "dark" ? darkLogo : previewBrand.logo }} />
              <p className="text-sm">{t("sample")}</p>
              <p className="flex flex-wrap items-center gap-2 text-sm">
                <span className="rounded-control border border-primary-border bg-primary px-3 py-1.5 font-medium text-primary-fg">
                  {t("sampleButton")}
                </span>
                <span className="text-primary-text underline">{t("sampleLink")}</span>
                <span className="rounded-control bg-primary-soft px-2 py-1 text-primary-text">
                  {t("sampleSoft")}
                </span>
              </p>
            </div>
            {palette ? <ContrastList contrast={palette[theme].contrast} /> : null}
          </figure>
        ))}
      </div>
    </section>
  );
}

type Shades = ReturnType<typeof buildBrandPalette>[ThemeName];

function ContrastList({ contrast }: Pick<Shades, "contrast">) {
  const t = useTranslations("branding");
  const { number } = useFormat();
  return (
    <dl aria-label={t("contrast")} className="grid gap-1 text-compact">
      {(["border", "foreground", "text"] as const).map((shade) => (
        <div key={shade} className="flex justify-between gap-3">
          <dt className="text-fg-muted">{t(`contrastOf.${shade}`)}</dt>
          <dd>
            <Ltr>{`${number(contrast[shade])} : 1`}</Ltr>
          </dd>
        </div>
      ))}
    </dl>
  );
}
