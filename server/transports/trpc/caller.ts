import "server-only";
import { randomUUID } from "node:crypto";
import type { Route } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { isAppError } from "@/server/core/errors";
import { getClientAddress } from "../request-origin";
import { createPanelContext } from "./init";
import { createCaller } from "./root";

function redirectOnRefusal(error: unknown): void {
  if (!isAppError(error)) return;
  if (error.code === "view_as_over") redirect("/view-as-over" as Route);
  if (error.code === "second_factor_required") redirect("/settings/security");
  if (error.code === "view_as_closed") redirect("/visit-closed" as Route);
}

export const getPanelCaller = cache(async () => {
  const requestHeaders = await headers();
  const ctx = createPanelContext({
    method: "GET",
    header: (name) => requestHeaders.get(name),
    ip: getClientAddress(null, requestHeaders.get("x-forwarded-for")),
    requestId: requestHeaders.get("x-request-id") ?? randomUUID(),
    isRendering: true,
  });
  return { api: createCaller(ctx, redirectOnRefusal), ctx };
});

/** Returns the impersonator's language, or undefined without an impersonation. */
export const getCurrentImpersonation = cache(async () => {
  const { ctx } = await getPanelCaller();
  const caller = await ctx.getCaller().catch(() => undefined);
  return caller?.actor.kind === "user" && caller.actor.impersonation ? { locale: caller.locale } : undefined;
});

/** Returns the signed-in user's profile, or null. Redirects first if an impersonation has ended. */
export const getCurrentUser = cache(async () => {
  const { api } = await getPanelCaller();
  try {
    return await api.profile.me();
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 401 || cause.code === "account_passive")) return null;
    throw error;
  }
});
