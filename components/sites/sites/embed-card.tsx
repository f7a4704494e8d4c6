import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { ButtonContent } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { toUnicodeDomain } from "@/components/ui/domain";
import { Tabs } from "@/components/ui/tabs";
import { SeenStatus } from "./seen-status";
import type { SiteDetail } from "./types";

export interface EmbedCardProps {
  site: SiteDetail;
  widgetKey: string;
  /** URL of the widget's script; undefined if the platform has none yet. */
  scriptUrl: string | undefined;
}

const PLATFORMS = [
  { value: "html", label: "HTML" },
  { value: "wordpress", label: "WordPress" },
  { value: "shopify", label: "Shopify" },
  // The full name is too long for a phone, and the guide has it.
  { value: "tagManager", label: "Tag Manager" },
] as const;
type Platform = (typeof PLATFORMS)[number]["value"];

const STEPS = ["first", "second", "third"] as const;

export function EmbedCard({ site, widgetKey, scriptUrl }: EmbedCardProps) {
  const t = useTranslations("sites.embed");
  const displayDomain = toUnicodeDomain(site.domain);
  if (!scriptUrl)
    return (
      <Card title={t("key")} description={t("keyText")}>
        <CodeBlock title={t("keyOf", { domain: displayDomain })} code={widgetKey} />
      </Card>
    );
  const src = new URL(scriptUrl).href;
  const scriptTag = `<script src="${src}" data-key="${widgetKey}" async></script>`;
  const codes: Record<Platform, string> = {
    html: scriptTag,
    wordpress: scriptTag,
    shopify: scriptTag,
    tagManager: buildTagManagerCode(src, widgetKey),
  };
  const mailParams = new URLSearchParams({
    subject: t("mailSubject", { domain: displayDomain }),
    body: `${t("mailText", { domain: displayDomain })}\n\n${scriptTag}\n`,
  });
  return (
    <Card
      title={t("title")}
      description={t("text")}
      footer={
        // Mail programs do not decode "+" as a space.
        <a
          href={`mailto:?${mailParams.toString().replaceAll("+", "%20")}`}
          className={buttonStyle({ size: "sm" })}
        >
          <ButtonContent icon={<Mail />}>{t("send")}</ButtonContent>
        </a>
      }
    >
      <div className="flex flex-col gap-6">
        <Tabs
          label={t("platform")}
          tabs={PLATFORMS.map(({ value, label }) => ({
            value,
            label,
            content: (
              <div className="flex flex-col gap-4">
                <ol className="flex flex-col gap-2 text-sm">
                  {STEPS.map((step, index) => (
                    <li key={step} className="flex gap-3">
                      <span
                        aria-hidden
                        className="grid size-6 shrink-0 place-items-center rounded-full border border-border-strong text-caption text-fg-muted"
                      >
                        {index + 1}
                      </span>
                      <span className="min-w-0 pt-0.5">{t(`steps.${value}.${step}`)}</span>
                    </li>
                  ))}
                </ol>
                <CodeBlock title={t("on", { domain: displayDomain })} code={codes[value]} />
                <div>
                  <CopyButton variant="primary" text={codes[value]} label={t("copy")} />
                </div>
              </div>
            ),
          }))}
        />
        <SeenStatus site={site} />
      </div>
    </Card>
  );
}

/**
 * Google Tag Manager drops the `data-` attributes of a script tag, and compiles its code as ES5. The page may not
 * have a body yet.
 */
function buildTagManagerCode(src: string, widgetKey: string): string {
  return `<script>
  (function () {
    var script = document.createElement("script");
    script.src = "${src}";
    script.async = true;
    script.setAttribute("data-key", "${widgetKey}");
    document.head.appendChild(script);
  })();
</script>`;
}
