"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { use } from "react";
import { MayLeaveContext } from "./app-link";

/**
 * Returns a function that navigates like a link, with the question about unsaved changes. It returns false if
 * blocked.
 */
export function useGo(): (href: string) => boolean {
  const router = useRouter();
  const mayLeave = use(MayLeaveContext);
  return (href) => {
    const isAllowed = mayLeave(href);
    if (isAllowed) router.push(href as Route);
    return isAllowed;
  };
}
