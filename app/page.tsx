import type { Route } from "next";
import { redirect } from "next/navigation";
import { getCurrentUser } from "@/server/transports/trpc/caller";

export default async function RootPage() {
  redirect((await getCurrentUser()) ? "/dashboard" : ("/sign-in" as Route));
}
