"use client";

import { lazyPart } from "@/components/ui/lazy-part";
import { SkeletonRows } from "@/components/ui/skeleton";

/** Only accounts with an unverified address need the form. */
export const VerifyInPlace = lazyPart(() => import("./in-place-form").then((file) => file.InPlaceForm), {
  loading: () => <SkeletonRows rowCount={2} />,
});
