import "server-only";
import type { Route } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { viewerOf } from "@/components/navigation/menu";
import { me } from "@/server/transports/trpc/caller";

export type Profile = NonNullable<Awaited<ReturnType<typeof me>>>;

/** Who is signed in; anyone else is sent to sign in and comes back to this page. */
export async function signedIn() {
  const profile = await me();
  if (profile) return { ...profile, viewer: viewerOf(profile.user) };
  const wanted = (await headers()).get("x-path") ?? "/dashboard";
  redirect(`/sign-in?next=${encodeURIComponent(wanted)}` as Route);
}
