"use client";

import dynamic from "next/dynamic";
import { SkeletonRows } from "@/components/ui/skeleton";

/** The form of the billing details, loaded when its tab is opened. */
export const ProfileTab = dynamic(() => import("./profile-form").then((file) => file.ProfileForm), {
  ssr: false,
  loading: () => <SkeletonRows rows={6} />,
});
