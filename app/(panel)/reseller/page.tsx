import { notFound, redirect } from "next/navigation";
import { firstIn } from "@/components/navigation/menu";
import { signedIn } from "../viewer";

/** Leads resellers to their first page. Others get 404. */
export default async function ResellerPage() {
  const { viewer } = await signedIn();
  redirect(firstIn("groupReseller", viewer) ?? notFound());
}
