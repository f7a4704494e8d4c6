"use client";

import { useTranslations } from "next-intl";
import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import { FormProvider } from "react-hook-form";
import { getCurrentPath } from "@/components/api/local-path";
import { endSession } from "@/components/api/session";
import { Ltr } from "@/components/ui/bidi";
import { Button, type ButtonProps } from "@/components/ui/button";
import { Countdown } from "@/components/ui/countdown";
import { FormAlert } from "@/components/ui/form-alert";
import { useRegisterUnsaved } from "@/components/ui/unsaved";
import { submitHeldForm } from "./early-submit";
import type { AnyOperationForm } from "./use-operation-form";

const OperationFormContext = createContext<AnyOperationForm | null>(null);

export function useOperationFormContext(): AnyOperationForm {
  const form = useContext(OperationFormContext);
  if (!form) throw new Error("Fields of components/form belong into an OperationForm.");
  return form;
}

export interface OperationFormProps {
  form: AnyOperationForm;
  children: ReactNode;
  /** Accessible name, for pages with several forms. */
  label?: string;
  /** The input is worthless later, such as a code: leaving asks nothing. */
  isDisposable?: boolean;
}

export function OperationForm({ form, children, label, isDisposable = false }: OperationFormProps) {
  const t = useTranslations("ui");
  const alertRef = useRef<HTMLDivElement>(null);
  const formRef = useRef<HTMLFormElement>(null);
  const { problem } = form;
  useEffect(() => submitHeldForm(formRef.current), []);
  // A form with a draft restores it, so leaving loses nothing.
  useRegisterUnsaved(form.formState.isDirty && !form.hasDraft && !isDisposable);
  useEffect(() => {
    if (problem) alertRef.current?.scrollIntoView({ block: "nearest" });
  }, [problem]);
  return (
    <OperationFormContext.Provider value={form}>
      <FormProvider {...form}>
        <form
          ref={formRef}
          // `HOLD_SUBMITS_SCRIPT` may have set an attribute before hydration.
          suppressHydrationWarning
          noValidate
          method="post"
          aria-label={label}
          onSubmit={form.onSubmit}
          onFocus={form.preloadOperation}
          className="flex flex-col gap-5"
        >
          {problem ? (
            <FormAlert
              live
              ref={alertRef}
              action={
                problem.signedOut ? (
                  <Button size="sm" onClick={() => endSession(getCurrentPath())}>
                    {t("error.signIn")}
                  </Button>
                ) : (
                  problem.choices?.map(({ label, run }) => (
                    <Button key={label} size="sm" onClick={run}>
                      {label}
                    </Button>
                  ))
                )
              }
            >
              <p>{problem.text}</p>
              {problem.requestId ? (
                <p className="mt-1 text-caption text-fg-muted">
                  {t("error.requestId")} <Ltr mono>{problem.requestId}</Ltr>
                </p>
              ) : null}
            </FormAlert>
          ) : null}
          {form.hasRestoredDraft ? (
            <FormAlert
              tone="info"
              action={
                <Button size="sm" onClick={form.discardDraft}>
                  {t("form.discard")}
                </Button>
              }
            >
              {t("form.restored")}
            </FormAlert>
          ) : null}
          {children}
        </form>
      </FormProvider>
      {form.proofDialog}
    </OperationFormContext.Provider>
  );
}

/** Stays enabled while the form is incomplete; shows a countdown after too many attempts. */
export function SubmitButton({
  children,
  variant = "primary",
  ...props
}: Omit<ButtonProps, "type" | "working" | "onClick">) {
  const form = useOperationFormContext();
  const t = useTranslations("ui.form");
  const { isSubmitting } = form.formState;
  const { blockedUntil, unblock } = form;
  const button = (
    <Button
      {...props}
      type="submit"
      variant={variant}
      working={isSubmitting}
      aria-disabled={blockedUntil ? true : undefined}
    >
      {blockedUntil ? (
        <span>
          {t("wait")} <Countdown until={blockedUntil} onEnd={unblock} />
        </span>
      ) : (
        children
      )}
    </Button>
  );
  return props.block ? button : <div>{button}</div>;
}
