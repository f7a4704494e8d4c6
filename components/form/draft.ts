const KEY_PREFIX = "draft:";
const SECRET_FIELD = /password|secret|token|code/i;

function withoutSecrets(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !SECRET_FIELD.test(field)));
}

export function readDraft(name: string): Record<string, unknown> | null {
  try {
    const stored: unknown = JSON.parse(window.sessionStorage.getItem(KEY_PREFIX + name) ?? "null");
    return typeof stored === "object" && stored !== null
      ? withoutSecrets(stored as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export function writeDraft(name: string, values: Record<string, unknown>): void {
  try {
    window.sessionStorage.setItem(KEY_PREFIX + name, JSON.stringify(withoutSecrets(values)));
  } catch {
    // Storage is blocked or full; only the draft is lost.
  }
}

export function dropDraft(name: string): void {
  try {
    window.sessionStorage.removeItem(KEY_PREFIX + name);
  } catch {}
}
