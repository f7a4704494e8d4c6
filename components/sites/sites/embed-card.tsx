import { Mail } from "lucide-react";
import { useTranslations } from "next-intl";
import { ButtonContent } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { toUnicodeDomain } from "@/components/ui/domain";

export interface EmbedCardProps {
  domain: string;
  widgetKey: string;
  /** URL of the widget's script; undefined if the platform has none yet. */
  scriptUrl: string | undefined;
}

export function EmbedCard({ domain, widgetKey, scriptUrl }: EmbedCardProps) {
  const t = useTranslations("sites.embed");
  const displayDomain = toUnicodeDomain(domain);
  if (!scriptUrl)
    return (
      <Card title={t("key")} description={t("keyText")}>
        <CodeBlock title={t("keyOf", { domain: displayDomain })} code={widgetKey} />
      </Card>
    );
  const scriptTag = `<script src="${new URL(scriptUrl).href}" data-key="${widgetKey}" async></script>`;
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
      <CodeBlock title={t("on", { domain })} code={scriptTag} />
    </Card>
  );
}
