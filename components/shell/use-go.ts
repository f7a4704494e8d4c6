"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { use } from "react";
import { MayLeaveContext } from "@/components/ui/app-link";

/** Opens a page as a link would: what was typed on this one is asked for first. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  const mayLeave = use(MayLeaveContext);
  return (href) => {
    if (mayLeave(href)) router.push(href as Route);
  };
}
