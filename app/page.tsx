import type { Route } from "next";
import { redirect } from "next/navigation";
import { me } from "@/server/transports/trpc/caller";

/** The front: straight to work, or to the sign-in. */
export default async function Front() {
  redirect((await me()) ? "/dashboard" : ("/sign-in" as Route));
}
