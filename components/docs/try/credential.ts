import { useSyncExternalStore } from "react";

/** What the calls of this page are made with. */
export interface Credential {
  secret: string;
  /** Made here for an hour, so that it is dropped once it is refused. */
  made?: boolean;
}

/*
 * Kept here and nowhere else: no storage, no address, no cookie. It is gone with the document. All forms of a page share it.
 */
let current: Credential | null = null;
const listeners = new Set<() => void>();

export function useCredential(): Credential | null {
  return useSyncExternalStore(subscribe, read, read);
}

const read = () => current;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setCredential(next: Credential | null): void {
  current = next?.secret ? next : null;
  for (const listener of listeners) listener();
}

/** A site's key, external or the widget's, by its beginning. */
export const isSiteKey = (secret: string) => /^ds[ek]_/.test(secret);

/** The header that a credential is sent in. */
export function headerOf(secret: string): [string, string] {
  return isSiteKey(secret) ? ["X-API-Key", secret] : ["Authorization", `Bearer ${secret}`];
}
