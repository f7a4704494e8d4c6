import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/link-button";
import { ConnectionState } from "./connection-state";
import type { Connection } from "./types";

/** The channels that serve a site. */
export function SiteConnections({ connections }: { connections: readonly Connection[] }) {
  const t = useTranslations("connections");
  return (
    <Card
      title={t("ofSite.title")}
      actions={
        <LinkButton size="sm" href="/connections">
          {t("ofSite.all")}
        </LinkButton>
      }
    >
      {connections.length === 0 ? (
        <p className="text-fg-muted text-sm">{t("ofSite.none")}</p>
      ) : (
        <ul className="flex flex-col gap-3 text-sm">
          {connections.map((connection) => (
            <li key={connection.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="min-w-0">
                <bdi className="wrap-anywhere">{connection.label}</bdi>{" "}
                <span className="text-fg-muted">{t(`channel.${connection.channel}`)}</span>
              </span>
              <ConnectionState connection={connection} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
