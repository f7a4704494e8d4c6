"use client";

// biome-ignore lint/style/noRestrictedImports: the one place
import Link from "next/link";
import { type ComponentProps, createContext, useContext } from "react";

/** Asked before a link opens another page; false holds it back. Given by the frame around a page. */
export const MayLeaveContext = createContext<(href: string) => boolean>(() => true);

/** A link to a page of ours. */
export function AppLink({ onNavigate, ...props }: ComponentProps<typeof Link>) {
  const mayLeave = useContext(MayLeaveContext);
  return (
    <Link
      {...props}
      onNavigate={(event) => {
        if (mayLeave(String(props.href))) onNavigate?.(event);
        else event.preventDefault();
      }}
    />
  );
}
