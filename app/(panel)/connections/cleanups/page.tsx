import { redirect } from "next/navigation";

/** Clean-ups are listed with the connections. */
export default function CleanupsPage() {
  redirect("/connections");
}
