"use client";

import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";

export const ProfileTab = lazyPart(() => import("./profile-form").then((file) => file.ProfileForm), {
  loading: () => <SkeletonRows rowCount={6} />,
});
