import "server-only";
import type { Route } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { viewerOf } from "@/components/navigation/menu";
import { env } from "@/server/core/env";
import { CLOSED_PAGES } from "@/server/domains/tenancy/view-as/policy";
import { currentImpersonation, currentUser, panel } from "@/server/transports/trpc/caller";

export type Profile = NonNullable<Awaited<ReturnType<typeof currentUser>>>;

/**
 * True when mandatory consents are missing (as after a sign-up through a provider) or their text has changed.
 */
const lacksConsents = cache(async () => {
  const { api } = await panel();
  const { missing_consents, changed_consents } = await api.consents.get();
  return missing_consents.length + changed_consents.length > 0;
});

/**
 * Returns the two-factor requirement of the person at the keyboard. After its deadline most pages are closed.
 */
export const factorDuty = cache(async () => {
  const { api } = await panel();
  return api.twoFactor.getDuty();
});

/**
 * Returns the signed-in account and whether it is impersonated. Otherwise redirects to the sign-in page,
 * which returns here.
 */
export async function signedIn() {
  const profile = await currentUser();
  const path = (await headers()).get("x-path") ?? "/dashboard";
  const isImpersonated = (await currentImpersonation()) !== undefined;
  if (isImpersonated && CLOSED_PAGES.some((page) => path.startsWith(page)))
    redirect("/visit-closed" as Route);
  if (profile && !isImpersonated && (await lacksConsents()))
    redirect(`/consents-needed?next=${encodeURIComponent(path)}` as Route);
  if (profile) return { ...profile, viewer: viewerOf(profile.user), isVisit: isImpersonated };
  redirect(`/sign-in?next=${encodeURIComponent(path)}` as Route);
}

/** Returns the path of a picture that we serve; null for other hosts, from which pages load nothing. */
export function ownPicture(url: string | null): string | null {
  const picture = url && URL.canParse(url) ? new URL(url) : null;
  return picture && picture.origin === new URL(env().APP_URL).origin ? picture.pathname : null;
}
