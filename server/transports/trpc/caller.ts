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

/**
 * A page that shows what is closed to a visit, or whose visit has ended, leads to the page that says so; one that is closed
 * until there is a second factor leads to where it is set up.
 */
function leadAway(refused: unknown): void {
  if (!isAppError(refused)) return;
  if (refused.code === "view_as_over") redirect("/view-as-over" as Route);
  if (refused.code === "second_factor_required") redirect("/settings/security");
  if (refused.code === "view_as_closed") redirect("/visit-closed" as Route);
}

/** The panel's procedures for a server component, called as the person who requested the page. */
export const panel = cache(async () => {
  const given = await headers();
  const ctx = panelContext({
    method: "GET",
    header: (name) => given.get(name),
    ip: clientAddress(null, given.get("x-forwarded-for")),
    requestId: given.get("x-request-id") ?? randomUUID(),
    rendering: true,
  });
  return { api: createCaller(ctx, leadAway), ctx };
});

/** Returns the language of the person at the keyboard while they view as somebody else; undefined otherwise. */
export const viewing = cache(async () => {
  const { ctx } = await panel();
  const caller = await ctx.caller().catch(() => undefined);
  return caller?.actor.kind === "user" && caller.actor.behalf ? { locale: caller.locale } : undefined;
});

/** Returns the signed-in person and their profile, or null. Somebody whose view as another has ended is told so first. */
export const me = cache(async () => {
  const { api } = await panel();
  try {
    return await api.profile.me();
  } catch (error) {
    const cause = (error as Error).cause;
    if (isAppError(cause) && (cause.status === 401 || cause.code === "account_passive")) return null;
    throw error;
  }
});
