import { redirect } from "next/navigation";

/** Settings open with the profile. */
export default function SettingsPage() {
  redirect("/settings/profile");
}
