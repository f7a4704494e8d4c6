"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { use } from "react";
import { MayLeaveContext } from "./app-link";

/** Navigates like a link, after asking about unsaved changes. Returns false if blocked. */
export function useGo(): (href: string) => boolean {
  const router = useRouter();
  const mayLeave = use(MayLeaveContext);
  return (href) => {
    const isAllowed = mayLeave(href);
    if (isAllowed) router.push(href as Route);
    return isAllowed;
  };
}
