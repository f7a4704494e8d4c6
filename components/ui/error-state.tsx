"use client";

import { RotateCw, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Ltr } from "./bidi";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { EmptyState } from "./empty-state";

export interface ErrorStateProps {
  title?: ReactNode;
  children?: ReactNode;
  requestId?: string;
  onRetry?: () => void;
  isRetrying?: boolean;
  heading?: "h1" | "h2" | "h3";
}

export function ErrorState({ title, children, requestId, onRetry, isRetrying, heading }: ErrorStateProps) {
  const t = useTranslations("ui.error");
  return (
    <div role="alert">
      <EmptyState
        icon={<TriangleAlert className="text-danger-text" />}
        heading={heading}
        title={title ?? t("title")}
        action={
          onRetry ? (
            <Button icon={<RotateCw />} working={isRetrying} onClick={onRetry}>
              {t("retry")}
            </Button>
          ) : undefined
        }
      >
        <p>{children ?? t("unexpected")}</p>
        {requestId ? (
          <p className="mt-3 inline-flex flex-wrap items-center justify-center gap-x-2 text-caption">
            <span>{t("requestId")}</span>
            <Ltr mono>{requestId}</Ltr>
            <CopyButton text={requestId} compact />
          </p>
        ) : null}
      </EmptyState>
    </div>
  );
}
