import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { getConnectionState } from "./state";
import type { Connection } from "./types";

export function ConnectionState({ connection }: { connection: Connection }) {
  const t = useTranslations("connections.state");
  const { messageKey, tone } = getConnectionState(connection);
  return <StatusChip tone={tone}>{t(messageKey, { channel: connection.channel })}</StatusChip>;
}
