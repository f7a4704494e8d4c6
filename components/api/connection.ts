"use client";

import { useSyncExternalStore } from "react";

/** Liveness check, which needs no database. */
const PROBE = "/api/health/live";
/** Milliseconds between two probes while offline. */
const RETRY = 3_000;

let lost = false;
let timer: number | undefined;
const listeners = new Set<() => void>();

function know(unreachable: boolean): void {
  window.clearTimeout(timer);
  if (unreachable) timer = window.setTimeout(probe, RETRY);
  if (lost === unreachable) return;
  lost = unreachable;
  for (const tell of listeners) tell();
}

const away = () => know(true);

/** `navigator.onLine` is unreliable in both directions; only a response proves a connection. */
async function probe(): Promise<void> {
  await watchedFetch(PROBE, { cache: "no-store" }).catch(() => undefined);
}

/** `fetch` that updates the connection state. */
export async function watchedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init);
    know(false);
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) know(true);
    throw error;
  }
}

function subscribe(tell: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener("offline", away);
    window.addEventListener("online", probe);
    if (!navigator.onLine) void probe();
  }
  listeners.add(tell);
  return () => {
    listeners.delete(tell);
    if (listeners.size > 0) return;
    window.removeEventListener("offline", away);
    window.removeEventListener("online", probe);
  };
}

/** Returns whether the server is unreachable. */
export function useOffline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => lost,
    () => false,
  );
}
