"use client";

import Link, { useLinkStatus } from "next/link";
import { type ComponentProps, createContext, useContext, useEffect, useId, useState } from "react";
import { follow } from "./navigation";

/** Asked before a link opens another page; false holds it back. Given by the frame around a page. */
export const MayLeaveContext = createContext<(href: string) => boolean>(() => true);

/**
 * A link to a page of ours, which is fetched ahead when somebody points at the link or focuses it: a view has dozens, and
 * each would be a page for the server to render. While the page is on its way, the link
 * has `data-pending` inside.
 */
export function AppLink({
  onNavigate,
  onPointerEnter,
  onFocus,
  children,
  prefetch,
  ...props
}: ComponentProps<typeof Link>) {
  const mayLeave = useContext(MayLeaveContext);
  const [wanted, setWanted] = useState(false);
  return (
    <Link
      {...props}
      prefetch={prefetch ?? (wanted ? null : false)}
      onPointerEnter={(event) => {
        setWanted(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setWanted(true);
        onFocus?.(event);
      }}
      onNavigate={(event) => {
        if (mayLeave(String(props.href))) onNavigate?.(event);
        else event.preventDefault();
      }}
    >
      {typeof children === "string" ? <span>{children}</span> : children}
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
