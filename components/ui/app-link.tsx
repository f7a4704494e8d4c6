"use client";

import type { Route } from "next";
import Link, { useLinkStatus } from "next/link";
import { type ComponentProps, createContext, useContext, useEffect, useId, useState } from "react";
import { setLinkPending } from "./pending-navigation";

/** Called before a link navigates; false blocks it. The panel's frame provides it. */
export const LeaveGuardContext = createContext<(href: string) => boolean>(() => true);

/** Prefetches only on hover or focus: a page has dozens of links, and the server renders each target. */
export function AppLink({
  onNavigate,
  onPointerEnter,
  onFocus,
  children,
  prefetch,
  ...props
}: Omit<ComponentProps<typeof Link>, "href"> & { href: Route }) {
  const requestLeave = useContext(LeaveGuardContext);
  const [shouldPrefetch, setShouldPrefetch] = useState(false);
  return (
    <Link
      {...props}
      // Null is the default prefetch of Next.
      prefetch={prefetch ?? (shouldPrefetch ? null : false)}
      onPointerEnter={(event) => {
        setShouldPrefetch(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setShouldPrefetch(true);
        onFocus?.(event);
      }}
      onNavigate={(event) => {
        if (requestLeave(props.href)) onNavigate?.(event);
        else event.preventDefault();
      }}
    >
      {typeof children === "string" ? <span>{children}</span> : children}
      <PendingMarker />
    </Link>
  );
}

/** Renders a marker that the `has-data-pending:` classes of links select. */
function PendingMarker() {
  const { pending } = useLinkStatus();
  const linkId = useId();
  useEffect(() => setLinkPending(linkId, pending), [linkId, pending]);
  return pending ? <span hidden data-pending /> : null;
}
