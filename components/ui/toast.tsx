"use client";

import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import type { FallbackProps } from "react-error-boundary";
import { HINT, lazyPart } from "./lazy-part";
import { useLoadFailure } from "./load-error";
import type { ShownToast, ToastOptions } from "./popups/props";
import type { Tone } from "./tone";

const ToastList = lazyPart(() => import("./popups/toast-list").then((file) => file.ToastList), {
  ...HINT,
  failed: ToastError,
  loadsEarly: true,
});

/** Each further toast loads the list again. */
function ToastError(failure: FallbackProps) {
  const count = useSyncExternalStore(
    subscribe,
    () => toastCount,
    () => 0,
  );
  useLoadFailure(failure);
  const retry = useEffectEvent(failure.resetErrorBoundary);
  const failedCount = useRef(count);
  useEffect(() => {
    if (count > failedCount.current) retry();
  }, [count]);
  return null;
}

/** Toasts added before the list has loaded. The first toast loads the list. */
let queue: ShownToast[] = [];
let addToast = (toast: ShownToast): unknown => {
  queue = [...queue, toast];
  for (const listener of listeners) listener();
  return undefined;
};
let removeToast = (id: string): unknown => {
  queue = queue.filter((toast) => toast.id !== id);
  return undefined;
};
const listeners = new Set<() => void>();
let toastCount = 0;

function showToast(type: Tone, title: ReactNode, { description, action }: ToastOptions = {}): string {
  toastCount += 1;
  const id = `toast-${toastCount}`;
  addToast({
    ...{ id, type, title, description, action },
    timeout: action ? 10_000 : type === "danger" ? 8000 : 5000,
  });
  return id;
}

/** Shows a toast from any client code: `toast.success(t("sites.created", { name }))`. */
export const toast = {
  neutral: (title: ReactNode, options?: ToastOptions) => showToast("neutral", title, options),
  success: (title: ReactNode, options?: ToastOptions) => showToast("success", title, options),
  warning: (title: ReactNode, options?: ToastOptions) => showToast("warning", title, options),
  danger: (title: ReactNode, options?: ToastOptions) => showToast("danger", title, options),
  close: (id: string) => removeToast(id),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const hasToasts = useSyncExternalStore(
    subscribe,
    () => toastCount > 0,
    () => false,
  );
  const connectList = useCallback(
    (showInList: (toast: ShownToast) => void, closeInList: (id: string) => void) => {
      addToast = showInList;
      removeToast = closeInList;
      for (const queuedToast of queue) showInList(queuedToast);
      queue = [];
    },
    [],
  );
  return hasToasts ? <ToastList onReady={connectList} /> : null;
}
