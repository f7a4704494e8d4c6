"use client";

import { useTranslations } from "next-intl";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type ReactNode, useState } from "react";
import { useFormProof } from "@/components/accounts/users/use-proof-prompt";
import { api, call, withIdempotencyKey } from "@/components/api/client";
import { OperationForm } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Stepper } from "@/components/ui/stepper";
import { toast } from "@/components/ui/toast";
import { ActivationResult } from "./activation-result";
import { ActivationReview } from "./activation-review";
import { ActivationTerms } from "./activation-terms";
import { TRANSFER_DEFAULTS } from "./transfer-fields";
import type { Activation, Preview } from "./types";

const STEPS = ["customer", "terms", "review"] as const;

export interface ActivationWizardProps {
  renderCustomerChooser: (onChoose: (userId: number) => void) => ReactNode;
  renderCustomer: (userId: number) => ReactNode;
}

/** Wizard for a manual activation; the URL holds the step and the customer. */
export function ActivationWizard({ renderCustomerChooser, renderCustomer }: ActivationWizardProps) {
  const t = useTranslations("billingAdmin.activation");
  const [urlState, setUrlState] = useQueryStates(
    {
      step: parseAsStringLiteral(STEPS).withDefault("customer"),
      user: parseAsInteger,
      order: parseAsInteger,
      renews: parseAsInteger,
      plan: parseAsInteger,
    },
    { history: "push" },
  );
  const [preview, setPreview] = useState<Preview>();
  const [activation, setActivation] = useState<Activation>();
  const step =
    urlState.user === null
      ? "customer"
      : urlState.step === "review" && !preview
        ? "terms"
        : urlState.step === "customer"
          ? "terms"
          : urlState.step;
  if (activation) return <ActivationResult activation={activation} />;
  return (
    <div className="flex flex-col gap-8">
      <Stepper
        label={t("steps.label")}
        current={step}
        steps={STEPS.map((key) => ({ key, label: t(`steps.${key}`) }))}
      />
      {step === "customer" ? (
        renderCustomerChooser(
          (userId) =>
            void setUrlState({ user: userId, step: "terms", order: null, renews: null, plan: null }),
        )
      ) : (
        <ActivationForm
          key={`${urlState.user}-${urlState.order}-${urlState.renews}-${urlState.plan}`}
          userId={urlState.user!}
          customerCard={renderCustomer(urlState.user!)}
          orderId={urlState.order}
          renewsId={urlState.renews}
          planId={urlState.plan}
          step={step}
          preview={preview}
          onPreview={(result) => {
            setPreview(result);
            void setUrlState({ step: "review" });
          }}
          onBack={() => void setUrlState({ step: "terms" })}
          onChangeCustomer={() =>
            void setUrlState({ user: null, order: null, renews: null, plan: null, step: "customer" })
          }
          onDone={setActivation}
        />
      )}
    </div>
  );
}

interface ActivationFormProps {
  userId: number;
  customerCard: ReactNode;
  orderId: number | null;
  renewsId: number | null;
  planId: number | null;
  step: "terms" | "review";
  preview: Preview | undefined;
  onPreview: (preview: Preview) => void;
  onBack: () => void;
  onChangeCustomer: () => void;
  onDone: (activation: Activation) => void;
}

/** One form for two steps: the first submits for a preview, the second activates. */
function ActivationForm({
  userId,
  customerCard,
  orderId,
  renewsId,
  planId,
  step,
  preview,
  ...callbacks
}: ActivationFormProps) {
  const t = useTranslations("billingAdmin.activation");
  const utils = api.useUtils();
  const form = useOperationForm(
    () => import("@/server/domains/billing/payments/contract").then((file) => file.activateSubscription),
    {
      proofPrompt: useFormProof(t("title")),
      defaultValues: {
        user_id: userId,
        plan_id: planId,
        period_months: 12,
        absorbableLicenses: false,
        order_id: orderId,
        renews_subscription_id: renewsId,
        ...TRANSFER_DEFAULTS,
      } as never,
      submit: async (values, { idempotencyKey }) => {
        if (step === "terms") return { preview: await call.payments.preview.mutate({ body: values }) };
        return {
          activation: await call.payments.activate.mutate(
            { body: values },
            withIdempotencyKey(idempotencyKey),
          ),
        };
      },
      showsSuccessToast: false,
      onSuccess: (result) => {
        if (result.preview) return callbacks.onPreview(result.preview);
        toast.success(result.activation.message);
        void utils.records.invalidate();
        callbacks.onDone(result.activation);
      },
    },
  );
  return (
    <OperationForm form={form} label={t("title")}>
      {step === "review" && preview ? (
        <ActivationReview preview={preview} onBack={callbacks.onBack} />
      ) : (
        <ActivationTerms
          userId={userId}
          customerCard={customerCard}
          onChangeCustomer={callbacks.onChangeCustomer}
        />
      )}
    </OperationForm>
  );
}
