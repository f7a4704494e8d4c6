import { notFound, redirect } from "next/navigation";
import { firstIn } from "@/components/navigation/menu";
import { signedIn } from "../viewer";

/** Leads to the first page for developers that this person sees. */
export default async function DevelopersPage() {
  const { viewer } = await signedIn();
  redirect(firstIn("groupDevelopers", viewer) ?? notFound());
}
