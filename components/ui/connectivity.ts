"use client";

import { useSyncExternalStore } from "react";

const PROBE_PATH = "/api/health/live";
const RETRY_DELAY_MS = 3_000;

let isOffline = false;
let probeTimer: number | undefined;
const listeners = new Set<() => void>();

function setOffline(isUnreachable: boolean): void {
  window.clearTimeout(probeTimer);
  if (isUnreachable) probeTimer = window.setTimeout(probeConnection, RETRY_DELAY_MS);
  if (isOffline === isUnreachable) return;
  isOffline = isUnreachable;
  for (const listener of listeners) listener();
}

const handleOffline = () => setOffline(true);

/** `navigator.onLine` is unreliable in both directions; only a response proves a connection. */
async function probeConnection(): Promise<void> {
  await monitoredFetch(PROBE_PATH, { cache: "no-store" }).catch(() => undefined);
}

/** `fetch` that reports lost and restored connections to `useIsOffline`. */
export async function monitoredFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    setOffline(false);
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) setOffline(true);
    throw error;
  }
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener("offline", handleOffline);
    window.addEventListener("online", probeConnection);
    if (!navigator.onLine) void probeConnection();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener("offline", handleOffline);
    window.removeEventListener("online", probeConnection);
  };
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isOffline,
    () => false,
  );
}
