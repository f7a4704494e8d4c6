"use client";

import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

/** Names of where one is below the menu's entry, by how deep they are: the page, then its open part. */
type Crumbs = ReadonlyMap<number, ReactNode>;

const CrumbsContext = createContext<Crumbs>(new Map());
const SetCrumbContext = createContext<(depth: number, name: ReactNode | undefined) => void>(() => {});

/** Lets pages name themselves to the bar above them. */
export function CrumbsProvider({ children }: { children: ReactNode }) {
  const [crumbs, setCrumbs] = useState<Crumbs>(new Map());
  const set = useMemo(
    () => (depth: number, name: ReactNode | undefined) =>
      setCrumbs((before) => {
        const next = new Map(before);
        if (name === undefined) next.delete(depth);
        else next.set(depth, name);
        return next;
      }),
    [],
  );
  return (
    <SetCrumbContext value={set}>
      <CrumbsContext value={crumbs}>{children}</CrumbsContext>
    </SetCrumbContext>
  );
}

/** The names below the menu's entry, from the top. */
export function useCrumbs(): ReactNode[] {
  const crumbs = useContext(CrumbsContext);
  return [...crumbs].sort(([a], [b]) => a - b).map(([, name]) => name);
}

/** Names this page (depth 1), or the open part of it (2), in the breadcrumb. Shows nothing here. */
export function Crumb({ depth = 1, children }: { depth?: number; children: ReactNode }) {
  const set = useContext(SetCrumbContext);
  useEffect(() => {
    set(depth, children);
    return () => set(depth, undefined);
  }, [set, depth, children]);
  return null;
}
