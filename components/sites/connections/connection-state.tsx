"use client";

import { useTranslations } from "next-intl";
import { StatusChip } from "@/components/ui/status-chip";
import type { Connection } from "./types";

/** What matters most about a connection, as a chip. */
export function ConnectionState({ connection }: { connection: Connection }) {
  const t = useTranslations("connections.state");
  const { cleanup, token_dead, health, reasons } = connection;
  if (cleanup === "running") return <StatusChip tone="info">{t("cleaning")}</StatusChip>;
  if (cleanup === "failed") return <StatusChip tone="danger">{t("failed")}</StatusChip>;
  if (token_dead) return <StatusChip tone="danger">{t("dead")}</StatusChip>;
  if (reasons.length > 0) return <StatusChip tone="neutral">{t("idle")}</StatusChip>;
  if (health === "unreachable") return <StatusChip tone="warning">{t("unreachable")}</StatusChip>;
  return <StatusChip tone="success">{t("inUse")}</StatusChip>;
}
