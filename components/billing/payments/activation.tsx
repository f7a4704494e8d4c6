"use client";

import { useTranslations } from "next-intl";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type ReactNode, useState } from "react";
import { useProof } from "@/components/accounts/users/use-proven";
import { api, call, once } from "@/components/api/client";
import { OperationForm } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Stepper } from "@/components/ui/stepper";
import { toast } from "@/components/ui/toast";
import { Activated } from "./activated";
import { ActivationReview } from "./activation-review";
import { ActivationTerms } from "./activation-terms";
import { TRANSFER } from "./transfer-fields";
import type { Activation, Preview } from "./types";

const STEPS = ["customer", "terms", "review"] as const;

export interface ActivationWizardProps {
  /** Finds an account. */
  chooser: (onChoose: (user: number) => void) => ReactNode;
  /** Says whose an account is. */
  customer: (user: number) => ReactNode;
}

/** Activates a subscription by hand, step by step; the address names the step and whom it is about. */
export function ActivationWizard({ chooser, customer }: ActivationWizardProps) {
  const t = useTranslations("billingAdmin.activation");
  const [at, go] = useQueryStates(
    {
      step: parseAsStringLiteral(STEPS).withDefault("customer"),
      user: parseAsInteger,
      order: parseAsInteger,
      renews: parseAsInteger,
    },
    { history: "push" },
  );
  const [preview, setPreview] = useState<Preview>();
  const [done, setDone] = useState<Activation>();
  const step =
    at.user === null
      ? "customer"
      : at.step === "review" && !preview
        ? "terms"
        : at.step === "customer"
          ? "terms"
          : at.step;
  if (done) return <Activated activation={done} />;
  return (
    <div className="flex flex-col gap-8">
      <Stepper
        label={t("steps.label")}
        current={step}
        steps={STEPS.map((key) => ({ key, label: t(`steps.${key}`) }))}
      />
      {step === "customer" ? (
        chooser((user) => void go({ user, step: "terms", order: null, renews: null }))
      ) : (
        <Steps
          key={`${at.user}-${at.order}-${at.renews}`}
          user={at.user!}
          customer={customer(at.user!)}
          order={at.order}
          renews={at.renews}
          step={step}
          preview={preview}
          onPreview={(found) => {
            setPreview(found);
            void go({ step: "review" });
          }}
          onBack={() => void go({ step: "terms" })}
          onCustomer={() => void go({ user: null, order: null, renews: null, step: "customer" })}
          onDone={setDone}
        />
      )}
    </div>
  );
}

interface StepsProps {
  user: number;
  customer: ReactNode;
  order: number | null;
  renews: number | null;
  step: "terms" | "review";
  preview: Preview | undefined;
  onPreview: (preview: Preview) => void;
  onBack: () => void;
  onCustomer: () => void;
  onDone: (activation: Activation) => void;
}

/** One form over two steps: the first asks for the preview, the second does it. */
function Steps({ user, customer, order, renews, step, preview, ...on }: StepsProps) {
  const t = useTranslations("billingAdmin.activation");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payments/contract").then((file) => file.activateSubscription),
    {
      proof: useProof(t("title")),
      defaultValues: {
        user_id: user,
        plan_id: null,
        period_months: 12,
        absorbableLicenses: false,
        order_id: order,
        renews_subscription_id: renews,
        ...TRANSFER,
      } as never,
      submit: async (values, { idempotencyKey }) => {
        if (step === "terms") return { preview: await call.payments.preview.mutate({ body: values }) };
        return { done: await call.payments.activate.mutate({ body: values }, once(idempotencyKey)) };
      },
      success: false,
      onSuccess: (result) => {
        if (result.preview) return on.onPreview(result.preview);
        toast.success(result.done.message);
        void utils.records.invalidate();
        on.onDone(result.done);
      },
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      {step === "review" && preview ? (
        <ActivationReview preview={preview} onBack={on.onBack} />
      ) : (
        <ActivationTerms user={user} customer={customer} onCustomer={on.onCustomer} />
      )}
    </OperationForm>
  );
}
