"use client";

import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { FieldContext } from "./field-context";
import { useFormat } from "./use-format";

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Default: required. Only optional fields are marked, because they are fewer. */
  optional?: boolean;
  disabled?: boolean;
  /** Used and allowed length in code points, which the server counts, too. */
  counter?: { used: number; max: number };
  aside?: ReactNode;
  /** For controls that are not one labelable element, such as radio groups. */
  group?: boolean;
  hideLabel?: boolean;
  children: ReactNode;
}

export function Field({
  label,
  hint,
  error,
  optional,
  disabled,
  counter,
  aside,
  group,
  hideLabel,
  children,
}: FieldProps) {
  const t = useTranslations("ui.field");
  const { number: formatNumber } = useFormat();
  const id = useId();
  const ids = { label: `${id}-label`, hint: `${id}-hint`, error: `${id}-error` };
  const describedBy = [error && ids.error, hint && ids.hint].filter(Boolean).join(" ") || undefined;
  const Label = group ? "div" : "label";
  return (
    <FieldContext.Provider
      value={{
        id,
        describedBy,
        labelledBy: ids.label,
        invalid: Boolean(error),
        required: !optional,
        disabled: Boolean(disabled),
      }}
    >
      <div className="flex min-w-0 flex-col gap-1.5">
        <div className={hideLabel ? "sr-only" : "flex items-baseline justify-between gap-3"}>
          <Label id={ids.label} {...(group ? {} : { htmlFor: id })} className="font-medium text-fg text-sm">
            <span>{label}</span>
            {/* The space separates the words in the accessible name. */}
            {optional ? (
              <span className="ms-0.5 font-normal text-fg-subtle">{` ${t("optional")}`}</span>
            ) : null}
          </Label>
          {aside}
        </div>
        {children}
        {error || hint || counter ? (
          <div className="flex items-start justify-between gap-3 text-compact">
            <div className="min-w-0">
              {error ? (
                <p id={ids.error} className="flex items-start gap-1.5 text-danger-text">
                  <CircleAlert className="mt-0.5" />
                  <span>{error}</span>
                </p>
              ) : null}
              {hint ? (
                <p id={ids.hint} className="text-fg-muted">
                  {hint}
                </p>
              ) : null}
            </div>
            {counter ? (
              <p
                className={
                  counter.used > counter.max
                    ? "shrink-0 font-medium text-danger-text"
                    : "shrink-0 text-fg-subtle"
                }
              >
                <span aria-hidden>{`${formatNumber(counter.used)} / ${formatNumber(counter.max)}`}</span>
                <span className="sr-only">{t("counter", counter)}</span>
              </p>
            ) : null}
          </div>
        ) : null}
      </div>
    </FieldContext.Provider>
  );
}
