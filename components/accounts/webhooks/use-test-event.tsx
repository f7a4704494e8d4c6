"use client";

import { Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { FormAlert } from "@/components/ui/form-alert";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { testWebhook } from "@/server/domains/accounts/webhooks/contract";

type Result = Output<typeof testWebhook>;

export function useTestEvent(id: number) {
  const t = useTranslations("webhooks.test");
  const utils = api.useUtils();
  const [result, setResult] = useState<Result>();
  const test = useAction(() => call.webhooks.test.mutate({ params: { id: String(id) } }), {
    success: false,
    onSuccess: (testResult) => {
      setResult(testResult);
      void utils.webhooks.get.invalidate();
    },
  });
  return {
    button: (
      <Button icon={<Send />} working={test.isPending} onClick={() => test.press()}>
        {t("open")}
      </Button>
    ),
    resultAlert: result && !test.isPending ? <ResultAlert result={result} /> : null,
  };
}

function ResultAlert({ result: { delivered, status_code, duration_ms, error } }: { result: Result }) {
  const t = useTranslations("webhooks");
  const { number } = useFormat();
  const ms = number(duration_ms);
  if (delivered) {
    return (
      <FormAlert tone="success" live>
        {t("test.ok", { status: String(status_code), ms })}
      </FormAlert>
    );
  }
  return (
    <FormAlert
      tone="danger"
      live
      title={[t("test.failed"), status_code, t("attempt", { ms })].filter(Boolean).join(" · ")}
    >
      {error ? t(`failure.${error}`) : null}
    </FormAlert>
  );
}
