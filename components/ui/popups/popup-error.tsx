"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef } from "react";
import type { FallbackProps } from "react-error-boundary";
import { Button } from "../button";
import { LOAD_FAILURE_TEXT, RecoveryButton, useLoadFailure } from "../load-error";

interface Props extends FallbackProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** Explains at the edge of the screen why a popup did not open. Opening it again is another attempt. */
export function PopupError({ open, onOpenChange, ...failure }: Props) {
  const t = useTranslations();
  const cause = useLoadFailure(failure);
  useRetryOnOpen(open, failure);
  if (!open || !cause) return null;
  return (
    <div
      role="alert"
      className="layer-toast fixed inset-x-4 bottom-4 flex flex-wrap items-center gap-3 rounded-card border border-border bg-raised p-4 text-sm shadow-3 max-sm:bottom-20 sm:start-auto sm:w-96"
    >
      <p className="basis-full">{t(`ui.error.${LOAD_FAILURE_TEXT[cause]}`)}</p>
      <RecoveryButton cause={cause} onRetry={failure.resetErrorBoundary} />
      <Button variant="ghost" onClick={() => onOpenChange?.(false)}>
        {t("common.close")}
      </Button>
    </div>
  );
}

/** Shows nothing, because a hint is dispensable. Opening it again is another attempt. */
export function HintError({ open, ...failure }: Props) {
  useLoadFailure(failure);
  useRetryOnOpen(open, failure);
  return null;
}

function useRetryOnOpen(open: boolean | undefined, { resetErrorBoundary }: FallbackProps): void {
  const retry = useEffectEvent(resetErrorBoundary);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (open && !wasOpen.current) retry();
    wasOpen.current = open;
  }, [open]);
}
