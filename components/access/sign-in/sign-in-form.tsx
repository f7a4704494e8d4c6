"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { PasskeyButton } from "@/components/access/passkeys/passkey-button";
import { publicCall } from "@/components/api/call";
import { FormEmail } from "@/components/form/form-email";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Checkbox } from "@/components/ui/checkbox";
import { FormAlert } from "@/components/ui/form-alert";
import { announce } from "@/components/ui/live-regions";
import { TextLink } from "@/components/ui/text-link";
import { INTERIM_MINUTES, type LastMethod } from "@/server/domains/access/sign-in/policy";
import { type ClosedGate, closedGateOf } from "./closed-gate";
import { type DemoAccount, DemoAccounts } from "./demo-accounts";
import { LastUsed } from "./last-used";
import { rememberEmail, rememberedEmail } from "./remembered-email";
import { type PendingSignIn, passEmail } from "./tab-storage";
import { removeStoredDevices } from "./trusted-device";
import type { OpenPanel } from "./use-open-panel";

export interface SignInFormProps {
  enter: OpenPanel;
  accounts: readonly DemoAccount[];
  onClosedGate: (closedGate: ClosedGate) => void;
  onSecondStep: (waiting: PendingSignIn) => void;
  notice?: string;
  ways?: ReactNode;
  /** Suggested address; default is the one stored in this browser. */
  email?: string;
  last?: LastMethod;
}

export function SignInForm({ enter, accounts, notice, ways, email = "", last, ...props }: SignInFormProps) {
  const { onClosedGate, onSecondStep } = props;
  const t = useTranslations("auth");
  const [remember, setRemember] = useState(false);
  const storeEmail = (email: string) => rememberEmail(remember ? email : null);
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
            way: "password",
            until: Date.now() + INTERIM_MINUTES * 60_000,
          });
        else await enter(result.token, "password");
      },
      onError: (error) => {
        const closedGate = closedGateOf(error);
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
    removeStoredDevices();
    if (email) setFocus("password");
    const stored = rememberedEmail();
    const typed = getValues("email");
    if (!stored || (typed && typed !== stored)) return;
    setValue("email", stored);
    setRemember(true);
  }, [email, getValues, setFocus, setValue]);

  function fill({ email, password }: DemoAccount) {
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
              <TextLink href="/forgot-password" onClick={() => passEmail(getValues("email"))}>
                {t("signIn.forgot")}
              </TextLink>
            </span>
          }
        />
        <Checkbox
          label={t("signIn.remember")}
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
        />
        <LastUsed here={last === "password"}>
          <SubmitButton block>{t("signIn.submit")}</SubmitButton>
        </LastUsed>
      </OperationForm>
      <div className="mt-3">
        <PasskeyButton suggested enter={enter} onClosedGate={onClosedGate} last={last === "passkey"} />
      </div>
      {ways}
      {accounts.length > 0 ? <DemoAccounts accounts={accounts} onChoose={fill} /> : null}
    </>
  );
}
