"use client";

import { useSyncExternalStore } from "react";
import { readTabItem, writeTabItem } from "./tab-storage";

const listeners = new Set<() => void>();
const getStorageKey = (name: string) => `dismissed:${name}`;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether the user has dismissed something in this tab, and a function that does it. */
export function useDismissed(name: string | undefined): [isDismissed: boolean, dismiss: () => void] {
  const isDismissed = useSyncExternalStore(
    subscribe,
    () => name !== undefined && readTabItem(getStorageKey(name)) !== undefined,
    () => false,
  );
  function dismiss() {
    if (name !== undefined) writeTabItem(getStorageKey(name), "1");
    for (const listener of listeners) listener();
  }
  return [isDismissed, dismiss];
}
