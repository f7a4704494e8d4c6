import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { ConnectionItems } from "./connection-items";
import type { Connection } from "./types";

export function SiteConnections({ connections }: { connections: readonly Connection[] }) {
  const t = useTranslations("connections.ofSite");
  return (
    <Card
      title={t("title")}
      actions={
        <LinkButton size="sm" href="/connections">
          {t("all")}
        </LinkButton>
      }
    >
      <ConnectionItems connections={connections} emptyText={t("none")} />
    </Card>
  );
}
