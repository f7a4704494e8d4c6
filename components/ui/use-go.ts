"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { use } from "react";
import { MayLeaveContext } from "./app-link";

/** Opens a page as a link would: what was typed on this one is asked for first. Returns whether the page is on its way. */
export function useGo(): (href: string) => boolean {
  const router = useRouter();
  const mayLeave = use(MayLeaveContext);
  return (href) => {
    const leaves = mayLeave(href);
    if (leaves) router.push(href as Route);
    return leaves;
  };
}
