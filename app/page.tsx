import type { Route } from "next";
import { redirect } from "next/navigation";
import { currentUser } from "@/server/transports/trpc/caller";

export default async function Front() {
  redirect((await currentUser()) ? "/dashboard" : ("/sign-in" as Route));
}
