"use client";

// biome-ignore lint/style/noRestrictedImports: the one place
import Link, { useLinkStatus } from "next/link";
import { type ComponentProps, createContext, useContext, useEffect, useId } from "react";
import { follow } from "./navigation";

/** Asked before a link opens another page; false holds it back. Given by the frame around a page. */
export const MayLeaveContext = createContext<(href: string) => boolean>(() => true);

/** A link to a page of ours. While the page is on its way, `has-data-pending:` styles apply. */
export function AppLink({ onNavigate, children, ...props }: ComponentProps<typeof Link>) {
  const mayLeave = useContext(MayLeaveContext);
  return (
    <Link
      {...props}
      onNavigate={(event) => {
        if (mayLeave(String(props.href))) onNavigate?.(event);
        else event.preventDefault();
      }}
    >
      {children}
      <Pending />
    </Link>
  );
}

function Pending() {
  const { pending } = useLinkStatus();
  const link = useId();
  useEffect(() => follow(link, pending), [link, pending]);
  return pending ? <span hidden data-pending /> : null;
}
