"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export interface EmptyListProps {
  icon: ReactNode;
  title: string;
  /** Purpose of the list. */
  children: ReactNode;
  /** Label of a button that presses the create button of the page. */
  createLabel?: string;
  /** Another way to begin. */
  action?: ReactNode;
  guide?: Route;
}

/**
 * List without any record. Its button opens the dialog of the page's own create button, because this state
 * disappears with the first record, while a dialog may still show a secret.
 */
export function EmptyList({ icon, title, children, createLabel, action, guide }: EmptyListProps) {
  const t = useTranslations("ui.empty");
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <>
          {createLabel ? <Button onClick={pressCreateButton}>{createLabel}</Button> : null}
          {action}
          {guide ? (
            <LinkButton variant="ghost" href={guide}>
              {t("guide")}
            </LinkButton>
          ) : null}
        </>
      }
    >
      {children}
    </EmptyState>
  );
}

function pressCreateButton(): void {
  document.querySelector<HTMLElement>("main [data-create]")?.click();
}
