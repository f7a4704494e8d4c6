"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { CodeField } from "@/components/access/sign-in/code-field";
import { MailShortcut } from "@/components/access/sign-in/mail-shortcut";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useFocusOnMount } from "@/components/form/use-focus-on-mount";
import { announce } from "@/components/ui/live-regions";
import { ResendVerificationButton } from "./resend-verification-button";
import { useCodeForm } from "./use-code-form";

export interface InPlaceFormProps {
  /** Address of the signed-in account. */
  email: string;
  demo: boolean;
}

/** Verifies the address without leaving the page, which then shows what can be done next. */
export function InPlaceForm({ email, demo }: InPlaceFormProps) {
  const t = useTranslations("auth.verify");
  const router = useRouter();
  const form = useCodeForm({
    email,
    onVerified: () => {
      announce(t("doneTitle"));
      router.refresh();
    },
  });
  useFocusOnMount(form, "code");
  useEffect(() => {
    // The link in the mail opens another tab. A refresh without a connection would lose the page.
    const refresh = () => {
      if (document.visibilityState === "visible" && navigator.onLine) router.refresh();
    };
    document.addEventListener("visibilitychange", refresh);
    return () => document.removeEventListener("visibilitychange", refresh);
  }, [router]);
  return (
    <OperationForm form={form} label={t("title")} isDisposable>
      <div className="max-w-xs">
        <CodeField label={t("code")} focusOnMount={false} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <SubmitButton size="sm">{t("submit")}</SubmitButton>
        <ResendVerificationButton email={email} />
        <MailShortcut inline email={email} demo={demo} />
      </div>
    </OperationForm>
  );
}
