import "server-only";
import type { Route } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { viewerOf } from "@/components/navigation/menu";
import { env } from "@/server/core/env";
import { me, panel } from "@/server/transports/trpc/caller";

export type Profile = NonNullable<Awaited<ReturnType<typeof me>>>;

/** Whether mandatory consents are missing, as identity providers leave them, or were given to a text that has changed. */
const lacksConsents = cache(async () => {
  const { api } = await panel();
  const { missing_consents, changed_consents } = await api.consents.state();
  return missing_consents.length + changed_consents.length > 0;
});

/** Who is signed in; anyone else is sent to sign in and comes back to this page. */
export async function signedIn() {
  const profile = await me();
  const wanted = (await headers()).get("x-path") ?? "/dashboard";
  if (profile && (await lacksConsents()))
    redirect(`/consents-needed?next=${encodeURIComponent(wanted)}` as Route);
  if (profile) return { ...profile, viewer: viewerOf(profile.user) };
  redirect(`/sign-in?next=${encodeURIComponent(wanted)}` as Route);
}

/**
 * Where a picture of ours is, on whatever host the page is read; null for one from elsewhere, such as an identity
 * provider's, because pages load nothing that is not ours.
 */
export function ownPicture(url: string | null): string | null {
  const picture = url && URL.canParse(url) ? new URL(url) : null;
  return picture && picture.origin === new URL(env().APP_URL).origin ? picture.pathname : null;
}
