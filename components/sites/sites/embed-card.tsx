import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";

export interface EmbedCardProps {
  domain: string;
  widgetKey: string;
  /** Address of the widget's script; without one there is nothing to put into a page yet. */
  script: string | undefined;
}

/** How a page gets the widget: the tag to copy, or the public key alone. */
export function EmbedCard({ domain, widgetKey, script }: EmbedCardProps) {
  const t = useTranslations("sites.embed");
  if (!script)
    return (
      <Card title={t("key")} description={t("keyText")}>
        <CodeBlock title={t("keyOf", { domain })} code={widgetKey} />
      </Card>
    );
  return (
    <Card title={t("title")} description={t("text")}>
      <CodeBlock
        title={t("on", { domain })}
        code={`<script src="${new URL(script).href}" data-key="${widgetKey}" async></script>`}
      />
    </Card>
  );
}
