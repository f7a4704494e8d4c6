import { Plug } from "lucide-react";
import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { ConnectionItems } from "./connection-items";
import { getWizardPath } from "./paths";
import type { Connection } from "./types";

export interface SiteConnectionsProps {
  connections: readonly Connection[];
  /** Own site of the viewer, who can connect a channel for it. */
  siteId?: number;
}

export function SiteConnections({ connections, siteId }: SiteConnectionsProps) {
  const t = useTranslations("connections");
  return (
    <Card
      title={t("ofSite.title")}
      actions={
        <>
          {siteId === undefined ? null : (
            <LinkButton size="sm" icon={<Plug />} href={getWizardPath({ siteId })}>
              {t("connect.open")}
            </LinkButton>
          )}
          <LinkButton size="sm" href="/connections">
            {t("ofSite.all")}
          </LinkButton>
        </>
      }
    >
      <ConnectionItems connections={connections} emptyText={t("ofSite.none")} />
    </Card>
  );
}
