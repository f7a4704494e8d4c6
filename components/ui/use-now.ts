"use client";

import { useSyncExternalStore } from "react";

interface Clock {
  read: () => number;
  subscribe: (listener: () => void) => () => void;
}

const clocks = new Map<number, Clock>();

function createClock(intervalMs: number): Clock {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: number | undefined;
  return {
    read: () => now,
    subscribe(listener) {
      listeners.add(listener);
      if (timer === undefined) {
        now = Date.now();
        timer = window.setInterval(() => {
          now = Date.now();
          for (const each of listeners) each();
        }, intervalMs);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        window.clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

function getClock(intervalMs: number): Clock {
  let clock = clocks.get(intervalMs);
  if (!clock) {
    clock = createClock(intervalMs);
    clocks.set(intervalMs, clock);
  }
  return clock;
}

/** Current time, updated every `intervalMs` ms by a shared timer; null on the server and during hydration. */
export function useNow(intervalMs: number): number | null {
  const { subscribe, read } = getClock(intervalMs);
  return useSyncExternalStore(subscribe, read, () => null);
}
