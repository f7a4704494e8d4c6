"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { PasskeyButton } from "@/components/access/passkeys/passkey-button";
import { publicCall } from "@/components/api/public-call";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Checkbox } from "@/components/ui/checkbox";
import { FormAlert } from "@/components/ui/form-alert";
import { announce } from "@/components/ui/live-regions";
import { TextLink } from "@/components/ui/text-link";
import { INTERIM_TOKEN_MINUTES, type LastSignInMethod } from "@/server/domains/access/sign-in/policy";
import { type ClosedGate, toClosedGate } from "./closed-gate";
import { type DemoAccount, DemoAccounts } from "./demo-accounts";
import { LastUsedBadge } from "./last-used-badge";
import { removeLegacyTrustedDevices } from "./legacy-trusted-devices";
import { readRememberedEmail, rememberEmail } from "./remembered-email";
import { type PendingSignIn, readTypedEmail, storeTypedEmail } from "./tab-storage";
import type { OpenPanel } from "./use-open-panel";

export interface SignInFormProps {
  openPanel: OpenPanel;
  demoAccounts: readonly DemoAccount[];
  onClosedGate: (closedGate: ClosedGate) => void;
  onSecondStep: (pendingSignIn: PendingSignIn) => void;
  notice?: string;
  providerButtons?: ReactNode;
  /** Suggested address; default is the one stored in this browser. */
  email?: string;
  lastMethod?: LastSignInMethod;
}

export function SignInForm({
  openPanel,
  demoAccounts,
  notice,
  providerButtons,
  email = "",
  lastMethod,
  ...props
}: SignInFormProps) {
  const { onClosedGate, onSecondStep } = props;
  const t = useTranslations("auth");
  const [shouldRemember, setShouldRemember] = useState(false);
  const storeEmail = (email: string) => rememberEmail(shouldRemember ? email : null);
  const form = useOperationForm(
    () => import("@/server/domains/access/sign-in/contract").then((file) => file.login),
    {
      defaultValues: { email, password: "" },
      submit: async (body) => {
        const result = await publicCall.signIn.login.mutate({ body });
        storeEmail(body.email);
        if ("requires_2fa" in result)
          onSecondStep({
            token: result.interim_token,
            methods: result.available_methods,
            firstMethod: "password",
            expiresAt: Date.now() + INTERIM_TOKEN_MINUTES * 60_000,
          });
        else await openPanel(result.token, "password");
      },
      onError: (error) => {
        const closedGate = toClosedGate(error);
        if (closedGate) {
          storeEmail(form.getValues("email"));
          onClosedGate(closedGate);
          return true;
        }
        if (error.status !== 401) return false;
        form.resetField("password");
        form.setProblem({ text: error.message });
        form.setFocus("password");
        return true;
      },
    },
  );

  const { getValues, setFocus, setValue } = form;
  useEffect(() => {
    removeLegacyTrustedDevices();
    const rememberedEmail = readRememberedEmail();
    const shownEmail = getValues("email") || readTypedEmail() || rememberedEmail;
    if (shownEmail) setValue("email", shownEmail);
    if (shownEmail && shownEmail === rememberedEmail) setShouldRemember(true);
    // On touch, the keyboard would cover the form.
    const isFocusFree = document.activeElement === document.body;
    if (email || (isFocusFree && window.matchMedia("(pointer: fine)").matches))
      setFocus(shownEmail ? "password" : "email");
  }, [email, getValues, setFocus, setValue]);

  function fillDemoAccount({ email, password }: DemoAccount) {
    form.reset({ email, password });
    form.unblock();
    form.setProblem(undefined);
    announce(t("signIn.demoFilled", { email }));
  }

  return (
    <>
      {notice && !form.problem ? (
        <div className="mb-5">
          <FormAlert live tone="warning">
            {notice}
          </FormAlert>
        </div>
      ) : null}
      <OperationForm form={form}>
        <FormEmail name="email" label={t("email")} autoComplete="username webauthn" />
        <FormField
          name="password"
          as="password"
          label={t("signIn.password")}
          autoComplete="current-password"
          aside={
            <span className="text-compact">
              <TextLink href="/forgot-password" onClick={() => storeTypedEmail(getValues("email"))}>
                {t("signIn.forgot")}
              </TextLink>
            </span>
          }
        />
        <Checkbox
          label={t("signIn.remember")}
          checked={shouldRemember}
          onChange={(event) => setShouldRemember(event.target.checked)}
        />
        <LastUsedBadge isLastUsed={lastMethod === "password"}>
          <SubmitButton block>{t("signIn.submit")}</SubmitButton>
        </LastUsedBadge>
      </OperationForm>
      <div className="mt-3">
        <PasskeyButton
          offersAutofill
          openPanel={openPanel}
          onClosedGate={onClosedGate}
          isLastUsed={lastMethod === "passkey"}
        />
      </div>
      {providerButtons}
      {demoAccounts.length > 0 ? <DemoAccounts accounts={demoAccounts} onChoose={fillDemoAccount} /> : null}
    </>
  );
}
