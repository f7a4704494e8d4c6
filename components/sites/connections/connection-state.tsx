import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import { useFormat } from "@/components/ui/use-format";
import { getConnectionState } from "./state";
import type { Connection } from "./types";

/** State of a connection, with the reasons why it is idle. */
export function ConnectionState({ connection }: { connection: Connection }) {
  const t = useTranslations("connections");
  const { list: formatList } = useFormat();
  const { messageKey, tone } = getConnectionState(connection);
  const chip = (
    <StatusChip tone={tone}>{t(`state.${messageKey}`, { channel: connection.channel })}</StatusChip>
  );
  if (messageKey !== "idle") return chip;
  return (
    <span className="inline-flex flex-col items-start gap-0.5 max-sm:items-end">
      {chip}
      <span className="text-caption text-fg-muted">
        {formatList(connection.reasons.map((reason) => t(`reason.${reason}`)))}
      </span>
    </span>
  );
}
