import type { Route } from "next";
import { redirect } from "next/navigation";
import { me } from "@/server/transports/trpc/caller";

export default async function Front() {
  redirect((await me()) ? "/dashboard" : ("/sign-in" as Route));
}
