"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { use } from "react";
import { LeaveGuardContext } from "./app-link";

/**
 * Navigates like a link. Returns false if it did not navigate: offline, or because a dialog now asks about
 * unsaved changes. That dialog may navigate later.
 */
export function useNavigate(): (href: string) => boolean {
  const router = useRouter();
  const requestLeave = use(LeaveGuardContext);
  return (href) => {
    const isAllowed = requestLeave(href);
    if (isAllowed) router.push(href as Route);
    return isAllowed;
  };
}
