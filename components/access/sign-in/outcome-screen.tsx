"use client";

import { clsx } from "clsx";
import { type ReactNode, useEffect, useRef } from "react";
import { TONE_SOFT_CLASS, type Tone } from "@/components/ui/tone";

export interface OutcomeScreenProps {
  icon: ReactNode;
  tone?: Tone;
  title: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
  /** Set it when this replaces a form: focuses the title, so that screen readers announce it. */
  focusOnMount?: boolean;
  heading?: "h1" | "h3";
}

export function OutcomeScreen({
  icon,
  tone = "neutral",
  title,
  text,
  children,
  focusOnMount,
  heading: Heading = "h1",
}: OutcomeScreenProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const heading = headingRef.current;
    const hasFocusedField = heading?.parentElement?.contains(document.activeElement);
    if (focusOnMount && !hasFocusedField) heading?.focus();
  }, [focusOnMount]);
  return (
    <div>
      <span
        className={clsx(
          "grid size-12 place-items-center rounded-card border border-current/20 [&_.lucide]:size-5",
          TONE_SOFT_CLASS[tone],
        )}
      >
        {icon}
      </span>
      <Heading
        ref={headingRef}
        id={Heading === "h1" ? "page-title" : undefined}
        tabIndex={-1}
        className="wrap-anywhere mt-5 font-semibold text-h1 ltr:tracking-[-0.012em]"
      >
        {title}
      </Heading>
      {text ? <p className="wrap-anywhere mt-2 text-base text-fg-muted">{text}</p> : null}
      {children ? <div className="mt-6 flex flex-col gap-5">{children}</div> : null}
    </div>
  );
}
