"use client";

import dynamic from "next/dynamic";
import { SkeletonRows } from "@/components/ui/skeleton";

export const ProfileTab = dynamic(() => import("./profile-form").then((file) => file.ProfileForm), {
  ssr: false,
  loading: () => <SkeletonRows rowCount={6} />,
});
