"use client";

import { useEffect } from "react";
import { leaveUnasked } from "@/components/ui/unsaved";
import { wantedPath } from "./own-path";

/** Reads the session once per document, which extends the cookie; pages read the profile on the server either way. */
export function KeepSession() {
  useEffect(() => {
    // An answer that nobody reads would hold its connection.
    fetch("/session/session")
      .then((response) => response.text())
      .catch(() => undefined);
  }, []);
  return null;
}

/** Sends a form to the session routes, with their token against forged ones. Resolves to where it leads. */
async function post(path: string, fields: Record<string, string>): Promise<{ ok: boolean; url: string }> {
  const { csrfToken } = (await (await fetch("/session/csrf")).json()) as { csrfToken: string };
  const body = new URLSearchParams({ callbackUrl: window.location.href, ...fields, csrfToken, json: "true" });
  const response = await fetch(`/session/${path}`, { method: "POST", body });
  const { url } = (await response.json()) as { url: string };
  return { ok: response.ok, url };
}

/** Exchanges the token of a sign-in for the panel's cookie. */
export async function openSession(token: string): Promise<boolean> {
  return (await post("callback/token", { token })).ok;
}

/** Leaves for an identity provider, which returns to `next`. */
export async function leaveFor(provider: string, next: string): Promise<void> {
  window.location.assign((await post(`signin/${provider}`, { callbackUrl: next })).url);
}

/**
 * Exchanges the token of a sign-in for the panel's cookie, then opens `next` as a new document, so that nothing of
 * the signed-out visit stays in memory.
 */
export async function openPanel(token: string, next?: string): Promise<boolean> {
  if (!(await openSession(token))) return false;
  window.location.assign(wantedPath(next));
  return true;
}

/** Ends the session and goes to the sign-in page, which returns to `next` if it is given. */
export async function endSession(next?: string): Promise<void> {
  await post("signout", {});
  leaveUnasked();
  window.location.assign(next ? `/sign-in?next=${encodeURIComponent(next)}` : "/sign-in");
}

/** Keeps a button working while the next page is on its way, and no longer than ten seconds. */
export function pageLeft(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, 10_000));
}
