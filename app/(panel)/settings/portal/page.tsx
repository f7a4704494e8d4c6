import { redirect } from "next/navigation";

/** Where the portal was before it had its brand beside it. */
export default function PortalPage(): never {
  redirect("/reseller/branding");
}
