"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { use } from "react";
import { LeaveGuardContext } from "./app-link";

/** Navigates like a link, after asking about unsaved changes. Returns false if blocked. */
export function useNavigate(): (href: string) => boolean {
  const router = useRouter();
  const canLeave = use(LeaveGuardContext);
  return (href) => {
    const isAllowed = canLeave(href);
    if (isAllowed) router.push(href as Route);
    return isAllowed;
  };
}
