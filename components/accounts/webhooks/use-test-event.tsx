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

type TestResult = Output<typeof testWebhook>;

export function useTestEvent(webhookId: number) {
  const t = useTranslations("webhooks.test");
  const utils = api.useUtils();
  const [result, setResult] = useState<TestResult>();
  const sendTest = useAction(() => call.webhooks.test.mutate({ params: { id: String(webhookId) } }), {
    successText: false,
    onSuccess: (testResult) => {
      setResult(testResult);
      void utils.webhooks.get.invalidate();
    },
  });
  return {
    button: (
      <Button icon={<Send />} working={sendTest.isPending} onClick={() => sendTest.run()}>
        {t("open")}
      </Button>
    ),
    resultAlert: result && !sendTest.isPending ? <ResultAlert result={result} /> : null,
  };
}

function ResultAlert({ result: { delivered, status_code, duration_ms, error } }: { result: TestResult }) {
  const t = useTranslations("webhooks");
  const { number: formatNumber } = useFormat();
  const durationText = formatNumber(duration_ms);
  if (delivered) {
    return (
      <FormAlert tone="success" live>
        {t("test.ok", { status: String(status_code), ms: durationText })}
      </FormAlert>
    );
  }
  return (
    <FormAlert
      tone="danger"
      live
      title={[t("test.failed"), status_code, t("attempt", { ms: durationText })].filter(Boolean).join(" · ")}
    >
      {error ? t(`failure.${error}`) : null}
    </FormAlert>
  );
}
