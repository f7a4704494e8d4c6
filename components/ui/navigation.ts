"use client";

import { useSyncExternalStore } from "react";

/** The links whose pages are on their way. */
const following = new Set<string>();
const listeners = new Set<() => void>();

function tell(): void {
  for (const each of listeners) each();
}

/** A link was followed, or its page is there. A menu may close meanwhile, and its link go with it. */
export function follow(link: string, pending: boolean): void {
  if (pending ? following.has(link) : !following.delete(link)) return;
  if (pending) following.add(link);
  tell();
}

/** Another page is there, whichever link led to it. */
export function arrive(): void {
  following.clear();
  tell();
}

/** Whether a page is on its way. */
export function useFollowing(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => following.size > 0,
    () => false,
  );
}
