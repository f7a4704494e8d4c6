"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useCallback, useSyncExternalStore } from "react";
import type { ShownToast, ToastOptions } from "./popups/props";
import type { Tone } from "./tone";

const ToastList = dynamic(() => import("./popups/toast-list").then((file) => file.ToastList), { ssr: false });

/** Toasts added before the list has loaded; the first one triggers loading. */
let queued: ShownToast[] = [];
let add = (toast: ShownToast): unknown => {
  queued = [...queued, toast];
  for (const each of listeners) each();
  return undefined;
};
let remove = (id: string): unknown => {
  queued = queued.filter((toast) => toast.id !== id);
  return undefined;
};
const listeners = new Set<() => void>();
let count = 0;

function show(type: Tone, title: ReactNode, { description, action }: ToastOptions = {}): string {
  count += 1;
  const id = `toast-${count}`;
  add({
    ...{ id, type, title, description, action },
    timeout: action ? 10_000 : type === "danger" ? 8000 : 5000,
  });
  return id;
}

/** Shows a toast from any client code: `toast.success(t("sites.created", { name }))`. */
export const toast = {
  neutral: (title: ReactNode, options?: ToastOptions) => show("neutral", title, options),
  success: (title: ReactNode, options?: ToastOptions) => show("success", title, options),
  warning: (title: ReactNode, options?: ToastOptions) => show("warning", title, options),
  danger: (title: ReactNode, options?: ToastOptions) => show("danger", title, options),
  close: (id: string) => remove(id),
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const hasToasts = useSyncExternalStore(
    subscribe,
    () => count > 0,
    () => false,
  );
  const connectList = useCallback(
    (showInList: (toast: ShownToast) => void, closeInList: (id: string) => void) => {
      add = showInList;
      remove = closeInList;
      for (const each of queued) showInList(each);
      queued = [];
    },
    [],
  );
  return hasToasts ? <ToastList onReady={connectList} /> : null;
}
