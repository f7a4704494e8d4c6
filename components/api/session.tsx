"use client";

import { useEffect } from "react";
import { allowLeaving } from "@/components/ui/unsaved";
import { getRequestedPath } from "./local-path";

/** Reads the session once per document to extend the cookie. */
export function KeepSession() {
  useEffect(() => {
    // An unread body would keep the connection busy.
    fetch("/session/session")
      .then((response) => response.text())
      .catch(() => undefined);
  }, []);
  return null;
}

/** Posts to the session routes with their CSRF token. Resolves to the redirect target. */
async function postToSession(
  path: string,
  fields: Record<string, string>,
): Promise<{ ok: boolean; url: string }> {
  const { csrfToken } = (await (await fetch("/session/csrf")).json()) as { csrfToken: string };
  const body = new URLSearchParams({ callbackUrl: window.location.href, ...fields, csrfToken, json: "true" });
  const response = await fetch(`/session/${path}`, { method: "POST", body });
  const { url } = (await response.json()) as { url: string };
  return { ok: response.ok, url };
}

export async function openSession(token: string): Promise<boolean> {
  return (await postToSession("callback/token", { token })).ok;
}

export async function signInWithProvider(provider: string, next: string): Promise<void> {
  window.location.assign((await postToSession(`signin/${provider}`, { callbackUrl: next })).url);
}

/** Opens a session and loads `next` as a new document, so that no state of the signed-out visit remains. */
export async function openPanel(token: string, next?: string): Promise<boolean> {
  if (!(await openSession(token))) return false;
  window.location.assign(getRequestedPath(next));
  return true;
}

/** Ends the session and opens the sign-in page, which returns to `next`. */
export async function endSession(next?: string): Promise<void> {
  await postToSession("signout", {});
  allowLeaving();
  window.location.assign(next ? `/sign-in?next=${encodeURIComponent(next)}` : "/sign-in");
}

/** Resolves after ten seconds: keeps a button in its pending state while the next document loads. */
export function waitForNavigation(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, 10_000));
}
