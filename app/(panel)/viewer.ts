import "server-only";
import type { Route } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { getViewer } from "@/components/navigation/menu";
import { env } from "@/server/core/env";
import { VIEW_AS_CLOSED_PAGES } from "@/server/domains/tenancy/view-as/policy";
import { getCurrentImpersonation, getCurrentUser, getPanelCaller } from "@/server/transports/trpc/caller";

export type Profile = NonNullable<Awaited<ReturnType<typeof getCurrentUser>>>;

const hasMissingConsents = cache(async () => {
  const { api } = await getPanelCaller();
  const { missing_consents, changed_consents } = await api.consents.get();
  return missing_consents.length + changed_consents.length > 0;
});

/** Returns the account's two-factor requirement. Once it is overdue, most operations fail. */
export const getTwoFactorRequirement = cache(async () => {
  const { api } = await getPanelCaller();
  return api.twoFactor.getDuty();
});

/** Returns the session. Redirects without sign-in or consents, and if impersonation closes the page. */
export async function requireSignIn() {
  const profile = await getCurrentUser();
  const path = (await headers()).get("x-path") ?? "/dashboard";
  const isImpersonation = (await getCurrentImpersonation()) !== undefined;
  if (isImpersonation && VIEW_AS_CLOSED_PAGES.some((page) => path.startsWith(page)))
    redirect("/visit-closed" as Route);
  if (profile && !isImpersonation && (await hasMissingConsents()))
    redirect(`/consents-needed?next=${encodeURIComponent(path)}` as Route);
  if (profile) return { ...profile, viewer: getViewer(profile.user), isImpersonation };
  redirect(`/sign-in?next=${encodeURIComponent(path)}` as Route);
}

/** Returns the path of a picture on this host; null for a picture on another host, which the CSP blocks. */
export function getLocalPicturePath(url: string | null): string | null {
  const picture = url && URL.canParse(url) ? new URL(url) : null;
  return picture && picture.origin === new URL(env().APP_URL).origin ? picture.pathname : null;
}
