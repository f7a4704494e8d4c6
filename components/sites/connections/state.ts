import type { Connection } from "./types";

export function getConnectionState({ cleanup, token_dead, health, reasons }: Connection) {
  if (cleanup === "running") return { messageKey: "cleaning", tone: "info" } as const;
  if (cleanup === "failed") return { messageKey: "failed", tone: "danger" } as const;
  if (token_dead) return { messageKey: "dead", tone: "danger" } as const;
  if (reasons.length > 0) return { messageKey: "idle", tone: "neutral" } as const;
  if (health === "unreachable") return { messageKey: "unreachable", tone: "warning" } as const;
  return { messageKey: "inUse", tone: "success" } as const;
}
