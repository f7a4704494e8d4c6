"use client";

import { useSyncExternalStore } from "react";

/** Liveness check, which needs no database. */
const PROBE = "/api/health/live";
/** Milliseconds between two probes while offline. */
const RETRY_DELAY = 3_000;

let isOffline = false;
let timer: number | undefined;
const listeners = new Set<() => void>();

function setOffline(unreachable: boolean): void {
  window.clearTimeout(timer);
  if (unreachable) timer = window.setTimeout(probe, RETRY_DELAY);
  if (isOffline === unreachable) return;
  isOffline = unreachable;
  for (const listener of listeners) listener();
}

const handleOffline = () => setOffline(true);

/** `navigator.onLine` is unreliable in both directions; only a response proves a connection. */
async function probe(): Promise<void> {
  await watchedFetch(PROBE, { cache: "no-store" }).catch(() => undefined);
}

export async function watchedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
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
    window.addEventListener("online", probe);
    if (!navigator.onLine) void probe();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener("offline", handleOffline);
    window.removeEventListener("online", probe);
  };
}

export function useOffline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isOffline,
    () => false,
  );
}
