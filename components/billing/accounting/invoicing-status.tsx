"use client";

import { PlugZap } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { api, call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { LinkButton } from "@/components/ui/link-button";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { testAccounting } from "@/server/domains/billing/accounting/contract";
import type { InvoicingState } from "./types";

type TestResult = Output<typeof testAccounting>;

export function InvoicingStatus({ initial }: { initial: InvoicingState }) {
  const t = useTranslations("accounting");
  const utils = api.useUtils();
  // The status is part of the list response. A connection test can change it, so it is refetched afterwards.
  const [status, setStatus] = useState(initial);
  const [testResult, setTestResult] = useState<TestResult>();
  const connectionTest = useAction(() => call.accounting.test.mutate({}), {
    successText: false,
    onSuccess: async (result) => {
      setTestResult(result);
      const { accounting } = await utils.accounting.list.fetch({ query: { per_page: "1" } });
      setStatus(accounting);
      await utils.accounting.invalidate();
    },
  });
  const { configured, paused_at, paused_reason, late } = status;
  return (
    <div className="mb-6 flex flex-col gap-4">
      {configured ? null : (
        <FormAlert tone="warning" title={t("standing.offTitle")}>
          {t("standing.offText")}
        </FormAlert>
      )}
      {paused_at ? (
        <FormAlert tone="danger" title={t("standing.pausedTitle")}>
          <span>{t(paused_reason === "credentials" ? "standing.credentials" : "standing.refused")}</span>{" "}
          <Time value={paused_at} />
        </FormAlert>
      ) : null}
      {late > 0 ? (
        <FormAlert
          tone="danger"
          title={t("standing.lateTitle", { count: late })}
          action={
            <LinkButton size="sm" href="/admin/accounting?due=late">
              {t("standing.lateShow")}
            </LinkButton>
          }
        />
      ) : null}
      {configured ? (
        <Card
          title={t("test.title")}
          description={testResult?.message}
          actions={
            <Button
              size="sm"
              icon={<PlugZap />}
              working={connectionTest.isPending}
              onClick={() => void connectionTest.run()}
            >
              {t("test.button")}
            </Button>
          }
        >
          {testResult && testResult.checks.length > 0 ? (
            <div role="status">
              <KeyValue
                items={testResult.checks.map(({ name, ok, problem }) => ({
                  key: name,
                  label: t(`test.${name}`),
                  value: ok ? (
                    <StatusChip tone="success">{t("test.ok")}</StatusChip>
                  ) : (
                    <span className="text-danger-text">{t(`problems.${problem ?? "refused"}`)}</span>
                  ),
                }))}
              />
            </div>
          ) : null}
        </Card>
      ) : null}
    </div>
  );
}
