import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { stateOf } from "./state";
import type { Connection } from "./types";

export function ConnectionState({ connection }: { connection: Connection }) {
  const t = useTranslations("connections.state");
  const { word, tone } = stateOf(connection);
  return <StatusChip tone={tone}>{t(word, { channel: connection.channel })}</StatusChip>;
}
