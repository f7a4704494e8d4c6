import type { Connection } from "./types";

/** Returns the most important state of a connection as message key and tone. */
export function stateOf({ cleanup, token_dead, health, reasons }: Connection) {
  if (cleanup === "running") return { word: "cleaning", tone: "info" } as const;
  if (cleanup === "failed") return { word: "failed", tone: "danger" } as const;
  if (token_dead) return { word: "dead", tone: "danger" } as const;
  if (reasons.length > 0) return { word: "idle", tone: "neutral" } as const;
  if (health === "unreachable") return { word: "unreachable", tone: "warning" } as const;
  return { word: "inUse", tone: "success" } as const;
}
