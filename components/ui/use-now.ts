"use client";

import { useSyncExternalStore } from "react";

interface Clock {
  read: () => number;
  subscribe: (listener: () => void) => () => void;
}

const clocks = new Map<number, Clock>();

function startClock(interval: number): Clock {
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
        }, interval);
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

function clockOf(interval: number): Clock {
  let clock = clocks.get(interval);
  if (!clock) {
    clock = startClock(interval);
    clocks.set(interval, clock);
  }
  return clock;
}

/** Updated every `interval` ms by a shared timer; null on the server and during hydration. */
export function useNow(interval: number): number | null {
  const { subscribe, read } = clockOf(interval);
  return useSyncExternalStore(subscribe, read, () => null);
}
