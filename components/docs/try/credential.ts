import { useSyncExternalStore } from "react";

export interface Credential {
  secret: string;
  /** Temporary key created here, valid for an hour; dropped when the server rejects it. */
  isTemporary?: boolean;
}

// In memory only: storage, URLs and cookies could leak it. All forms of a page share it.
let currentCredential: Credential | null = null;
const listeners = new Set<() => void>();

export function useCredential(): Credential | null {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}

const getSnapshot = () => currentCredential;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setCredential(next: Credential | null): void {
  currentCredential = next?.secret ? next : null;
  for (const listener of listeners) listener();
}

export const isSiteKey = (secret: string) => /^ds[ek]_/.test(secret);

export function toAuthHeader(secret: string): [string, string] {
  return isSiteKey(secret) ? ["X-API-Key", secret] : ["Authorization", `Bearer ${secret}`];
}
