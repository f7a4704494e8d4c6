import { notFound, redirect } from "next/navigation";
import { firstIn } from "@/components/navigation/menu";
import { signedIn } from "../viewer";

/** Leads administrators to their first page. Others get 404. */
export default async function AdminPage() {
  const { viewer } = await signedIn();
  redirect(firstIn("groupAdmin", viewer) ?? notFound());
}
