import { readTabItem, writeTabItem } from "@/components/ui/tab-storage";

const KEY_PREFIX = "draft:";
const SECRET_FIELD = /password|secret|token|code/i;

function withoutSecrets(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !SECRET_FIELD.test(field)));
}

export function readDraft(name: string): Record<string, unknown> | null {
  try {
    const stored: unknown = JSON.parse(readTabItem(KEY_PREFIX + name) ?? "null");
    return typeof stored === "object" && stored !== null
      ? withoutSecrets(stored as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export function writeDraft(name: string, values: Record<string, unknown>): void {
  writeTabItem(KEY_PREFIX + name, JSON.stringify(withoutSecrets(values)));
}

export function dropDraft(name: string): void {
  writeTabItem(KEY_PREFIX + name, "");
}
