"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { clearPendingLinks, useIsNavigating } from "@/components/ui/pending-navigation";

export function NavigationLine() {
  const t = useTranslations("common");
  const isNavigating = useIsNavigating();
  const path = usePathname();
  const search = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address ends the navigation
  useEffect(clearPendingLinks, [path, search]);
  if (!isNavigating) return null;
  return (
    <div
      role="progressbar"
      aria-label={t("loading")}
      className="navigation-line layer-band fixed inset-x-0 top-0 h-0.5 bg-primary-mark"
    />
  );
}
