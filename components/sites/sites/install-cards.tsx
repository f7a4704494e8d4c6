"use client";

import { ExternalLink } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { ButtonContent } from "@/components/ui/button";
import { buttonStyle } from "@/components/ui/button-style";
import { Card } from "@/components/ui/card";
import { CopyButton } from "@/components/ui/copy-button";
import { FormAlert } from "@/components/ui/form-alert";
import { EmbedCard, type EmbedCardProps } from "./embed-card";
import { readWidgetKey } from "./widget-key-storage";

const subscribeToNothing = () => () => {};

export interface InstallCardsProps extends EmbedCardProps {
  /** URL of the panel, or of the reseller's portal, for links to share. */
  origin: string;
}

/**
 * The link to the preview and the code to embed. A reseller sees them in the tab that created the site, others
 * learn where the owner finds them.
 */
export function InstallCards({ site, widgetKey, scriptUrl, origin }: InstallCardsProps) {
  const t = useTranslations("sites.created");
  const storedKey = useSyncExternalStore(
    subscribeToNothing,
    () => readWidgetKey(site.id),
    () => undefined,
  );
  const key = widgetKey.includes("*") ? storedKey : widgetKey;
  if (!key) return <FormAlert tone="info">{t("codeOfOwner")}</FormAlert>;
  return (
    <>
      <PreviewLinkCard url={`${origin}/preview/${key}`} />
      <EmbedCard site={site} scriptUrl={scriptUrl} widgetKey={key} />
    </>
  );
}

function PreviewLinkCard({ url }: { url: string }) {
  const t = useTranslations("sites.previewLink");
  return (
    <Card title={t("title")} description={t("text")}>
      <div className="flex flex-wrap items-center gap-3">
        <code
          dir="ltr"
          className="min-w-0 break-all rounded-control bg-sunken px-3 py-2 font-mono text-compact"
        >
          {url}
        </code>
        <span className="flex flex-wrap gap-2">
          <CopyButton text={url} size="sm" label={t("copy")} />
          <a href={url} target="_blank" rel="noopener" className={buttonStyle({ size: "sm" })}>
            <ButtonContent icon={<ExternalLink className="mirror" />}>{t("open")}</ButtonContent>
          </a>
        </span>
      </div>
    </Card>
  );
}
