import "server-only";
import { randomUUID } from "node:crypto";
import type { Route } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { isAppError } from "@/server/core/errors";
import { clientAddress } from "../request-origin";
import { panelContext } from "./init";
import { createCaller } from "./root";

/** An ended impersonation needs acknowledgement; some pages are closed to impersonation. */
function redirectRefused(error: unknown): void {
  if (!isAppError(error)) return;
  if (error.code === "view_as_over") redirect("/view-as-over" as Route);
  if (error.code === "second_factor_required") redirect("/settings/security");
  if (error.code === "view_as_closed") redirect("/visit-closed" as Route);
}

export const panel = cache(async () => {
  const requestHeaders = await headers();
  const ctx = panelContext({
    method: "GET",
    header: (name) => requestHeaders.get(name),
    ip: clientAddress(null, requestHeaders.get("x-forwarded-for")),
    requestId: requestHeaders.get("x-request-id") ?? randomUUID(),
    rendering: true,
  });
  return { api: createCaller(ctx, redirectRefused), ctx };
});

/** Returns the user's own language during an impersonation, else undefined. */
export const currentImpersonation = cache(async () => {
  const { ctx } = await panel();
  const caller = await ctx.caller().catch(() => undefined);
  return caller?.actor.kind === "user" && caller.actor.impersonation ? { locale: caller.locale } : undefined;
});

/** Returns the signed-in user's profile, or null. Redirects first if an impersonation has ended. */
export const currentUser = cache(async () => {
  const { api } = await panel();
  try {
    return await api.profile.me();
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 401 || cause.code === "account_passive")) return null;
    throw error;
  }
});
