"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

export interface CodeBlockProps {
  code: string;
  title?: ReactNode;
  /** Highlighted code, shown instead of `code`; the copy button still copies `code`. */
  children?: ReactNode;
}

export function CodeBlock({ code, title, children }: CodeBlockProps) {
  const t = useTranslations("ui.code");
  return (
    <figure className="overflow-hidden rounded-card border border-border bg-sunken">
      <figcaption className="flex min-h-10 items-center justify-between gap-2 border-border border-b ps-4 pe-1 text-compact text-fg-muted">
        <span className="wrap-anywhere min-w-0 py-2">{title ?? t("label")}</span>
        <CopyButton text={code} compact />
      </figcaption>
      <pre
        dir="ltr"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto p-4 font-mono text-compact focus-visible:-outline-offset-2"
      >
        <code>{children ?? code}</code>
      </pre>
    </figure>
  );
}
