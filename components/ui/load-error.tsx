"use client";

import { RotateCw, TriangleAlert, WifiOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { FallbackProps } from "react-error-boundary";
import { Button } from "./button";
import { monitoredFetch, useIsOffline } from "./connectivity";
import { EmptyState } from "./empty-state";

export type LoadFailure = "offline" | "outdated" | "unexpected";

/** Requests the failed script again to find out whether the connection is lost or a new version was deployed. */
async function findCause(error: unknown): Promise<LoadFailure> {
  if (!(error instanceof Error) || error.name !== "ChunkLoadError") return "unexpected";
  const [path] = /\/_next\/static\/\S+/.exec(error.message) ?? [];
  if (!path) return "unexpected";
  const response = await monitoredFetch(path, { method: "HEAD", cache: "no-store" }).catch(() => undefined);
  if (!response) return "offline";
  return response.status === 404 ? "outdated" : "unexpected";
}

/** Returns why a part failed; undefined until that is known. Retries when the connection is back. */
export function useLoadFailure({ error, resetErrorBoundary }: FallbackProps): LoadFailure | undefined {
  const [cause, setCause] = useState<LoadFailure>();
  const isOffline = useIsOffline();
  const wasOffline = useRef(isOffline);
  const retry = useEffectEvent(resetErrorBoundary);
  useEffect(() => {
    void findCause(error).then(setCause);
  }, [error]);
  useEffect(() => {
    if (wasOffline.current && !isOffline) retry();
    wasOffline.current = isOffline;
  }, [isOffline]);
  return cause;
}

/** Replaces a part of a page that failed to load or to render. */
export function LoadError({ heading, ...failure }: FallbackProps & { heading?: "h1" }) {
  const t = useTranslations("ui.error");
  const cause = useLoadFailure(failure);
  if (!cause) return null;
  return (
    <div role="alert">
      <EmptyState
        icon={cause === "offline" ? <WifiOff /> : <TriangleAlert />}
        heading={heading}
        title={t(cause === "unexpected" ? "title" : cause)}
        action={<RecoveryButton cause={cause} onRetry={failure.resetErrorBoundary} />}
      >
        {t(LOAD_FAILURE_TEXT[cause])}
      </EmptyState>
    </div>
  );
}

export const LOAD_FAILURE_TEXT = {
  offline: "offlineText",
  outdated: "outdatedText",
  unexpected: "unexpected",
} as const;

/** A new version needs a reload; after the other failures, another attempt may succeed. */
export function RecoveryButton({ cause, onRetry }: { cause: LoadFailure; onRetry: () => void }) {
  const t = useTranslations("ui.error");
  if (cause === "outdated") return <Button onClick={() => window.location.reload()}>{t("reload")}</Button>;
  return (
    <Button icon={<RotateCw />} onClick={onRetry}>
      {t("retry")}
    </Button>
  );
}
