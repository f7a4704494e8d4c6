"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

type Crumbs = ReadonlyMap<number, ReactNode>;

const CrumbsContext = createContext<Crumbs>(new Map());
const SetCrumbContext = createContext<(depth: number, name: ReactNode | undefined) => void>(() => {});

export function CrumbsProvider({ children }: { children: ReactNode }) {
  const [crumbs, setCrumbs] = useState<Crumbs>(new Map());
  const setCrumb = useMemo(
    () => (depth: number, name: ReactNode | undefined) =>
      setCrumbs((previous) => {
        const next = new Map(previous);
        if (name === undefined) next.delete(depth);
        else next.set(depth, name);
        return next;
      }),
    [],
  );
  return (
    <SetCrumbContext value={setCrumb}>
      <CrumbsContext value={crumbs}>{children}</CrumbsContext>
    </SetCrumbContext>
  );
}

/** Returns the breadcrumbs below the menu entry, by depth. */
export function useCrumbs(): ReactNode[] {
  const crumbs = useContext(CrumbsContext);
  return [...crumbs].sort(([a], [b]) => a - b).map(([, name]) => name);
}

/** Sets the breadcrumb of this page (depth 1) or of its open tab or record (depth 2). Renders nothing. */
export function Crumb({ depth = 1, children }: { depth?: number; children: ReactNode }) {
  const setCrumb = useContext(SetCrumbContext);
  useEffect(() => {
    setCrumb(depth, children);
    return () => setCrumb(depth, undefined);
  }, [setCrumb, depth, children]);
  return null;
}
