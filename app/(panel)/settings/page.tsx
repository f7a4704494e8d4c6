import { redirect } from "next/navigation";

/** Settings open on the profile. */
export default function SettingsPage() {
  redirect("/settings/profile");
}
