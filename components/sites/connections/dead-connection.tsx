import { useTranslations } from "next-intl";
import { LinkButton } from "@/components/ui/link-button";
import { useFormat } from "@/components/ui/use-format";
import { getReconnectPath } from "./paths";
import type { DeadConnection } from "./types";

export function DeadConnectionText({ connection }: { connection: DeadConnection }) {
  const t = useTranslations("connections");
  const { date: formatDate } = useFormat();
  return t.rich("banner.text", {
    channel: t(`channel.${connection.channel}`),
    name: () => <bdi>{connection.label}</bdi>,
    date: formatDate(connection.dead_since),
  });
}

/** Opens the form for a new token; nothing if another account owns the connection. */
export function ReconnectButton({
  connection: { id, label, contact },
}: {
  connection: Pick<DeadConnection, "id" | "label"> & { contact?: DeadConnection["contact"] };
}) {
  const t = useTranslations("connections.banner");
  if (contact) return null;
  return (
    <LinkButton size="sm" href={getReconnectPath(id)} labelSuffix={label}>
      {t("reconnect")}
    </LinkButton>
  );
}
