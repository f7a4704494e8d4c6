import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

export function Skeleton({
  width = "100%",
  height = "1rem",
  round,
}: {
  width?: string;
  height?: string;
  round?: boolean;
}) {
  return (
    <span
      aria-hidden
      className={`block bg-border/70 ${round ? "rounded-full" : "rounded-control"}`}
      style={{ width, height }}
    />
  );
}

/** Wraps skeletons: hidden for the first 150 ms, announced once to screen readers. */
export function SkeletonGroup({ children }: { children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <div role="status" className="skeleton-delay">
      <span className="sr-only">{t("loading")}</span>
      {children}
    </div>
  );
}

export function SkeletonRows({ rowCount }: { rowCount?: number }) {
  return (
    <SkeletonGroup>
      <SkeletonLines rowCount={rowCount} />
    </SkeletonGroup>
  );
}

export function SkeletonLines({ rowCount = 8 }: { rowCount?: number }) {
  return (
    <div className="divide-y divide-border">
      {Array.from({ length: rowCount }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change order
        <div key={row} className="flex h-row items-center gap-6 px-5">
          <Skeleton width={`${24 + ((row * 7) % 16)}%`} />
          <Skeleton width="18%" />
          <span className="ms-auto w-16">
            <Skeleton />
          </span>
        </div>
      ))}
    </div>
  );
}
