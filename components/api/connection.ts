"use client";

import { useSyncExternalStore } from "react";

/** It depends on nothing but the server itself. */
const PROBE = "/api/health/live";
/** Between two attempts to reach the server again. */
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

/** A browser may think that it has a network when it has none, and the other way round: only a response proves it. */
async function probe(): Promise<void> {
  await watchedFetch(PROBE, { cache: "no-store" }).catch(() => undefined);
}

/** `fetch`, from whose failures and successes the connection is known. */
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

/** Whether the server cannot be reached now. */
export function useOffline(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => lost,
    () => false,
  );
}
