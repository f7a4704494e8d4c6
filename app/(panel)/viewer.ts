import "server-only";
import type { Route } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { viewerOf } from "@/components/navigation/menu";
import { env } from "@/server/core/env";
import { CLOSED_PAGES } from "@/server/domains/tenancy/view-as/policy";
import { me, panel, viewing } from "@/server/transports/trpc/caller";

export type Profile = NonNullable<Awaited<ReturnType<typeof me>>>;

/**
 * Whether mandatory consents are missing, as after a sign-up through a provider, or were given to a text that has
 * changed.
 */
const lacksConsents = cache(async () => {
  const { api } = await panel();
  const { missing_consents, changed_consents } = await api.consents.get();
  return missing_consents.length + changed_consents.length > 0;
});

/** By when the person at the keyboard needs a second factor; once that is past, most pages are closed. */
export const factorDuty = cache(async () => {
  const { api } = await panel();
  return api.twoFactor.getDuty();
});

/** Returns the signed-in person, and whether somebody else looks at their panel; redirects anyone else to the sign-in page and back to this page. */
export async function signedIn() {
  const profile = await me();
  const wanted = (await headers()).get("x-path") ?? "/dashboard";
  const isVisit = (await viewing()) !== undefined;
  if (isVisit && CLOSED_PAGES.some((page) => wanted.startsWith(page))) redirect("/visit-closed" as Route);
  if (profile && !isVisit && (await lacksConsents()))
    redirect(`/consents-needed?next=${encodeURIComponent(wanted)}` as Route);
  if (profile) return { ...profile, viewer: viewerOf(profile.user), isVisit };
  redirect(`/sign-in?next=${encodeURIComponent(wanted)}` as Route);
}

/**
 * Returns the path of a picture that we serve, on whatever host the page is opened; null for a foreign one, such as
 * an identity provider's, because pages load nothing from other hosts.
 */
export function ownPicture(url: string | null): string | null {
  const picture = url && URL.canParse(url) ? new URL(url) : null;
  return picture && picture.origin === new URL(env().APP_URL).origin ? picture.pathname : null;
}
