"use client";

import { SessionProvider, signIn, signOut } from "next-auth/react";
import type { ReactNode } from "react";
import { leaveUnasked } from "@/components/ui/unsaved";
import { ownPath } from "./own-path";

/**
 * Configures next-auth's base path. `live` loads the session once per document, which extends the cookie; pages read
 * the profile on the server either way.
 */
export function PanelSession({ live = false, children }: { live?: boolean; children: ReactNode }) {
  return (
    <SessionProvider basePath="/session" session={live ? undefined : null} refetchOnWindowFocus={false}>
      {children}
    </SessionProvider>
  );
}

/** Exchanges the token of a sign-in for the panel's cookie. */
export async function openSession(token: string): Promise<boolean> {
  const result = await signIn("token", { token, redirect: false });
  return result?.ok ?? false;
}

/**
 * Exchanges the token of a sign-in for the panel's cookie, then opens `next` as a new document, so that nothing of
 * the signed-out visit stays in memory.
 */
export async function openPanel(token: string, next = "/dashboard"): Promise<boolean> {
  if (!(await openSession(token))) return false;
  window.location.assign(ownPath(next));
  return true;
}

/** Ends the session and goes to the sign-in page, which returns to `next` if it is given. */
export async function endSession(next?: string): Promise<void> {
  await signOut({ redirect: false });
  leaveUnasked();
  window.location.assign(next ? `/sign-in?next=${encodeURIComponent(next)}` : "/sign-in");
}

/** Keeps a button working while the next page is on its way, and no longer than ten seconds. */
export function pageLeft(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, 10_000));
}
