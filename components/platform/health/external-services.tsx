"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { call } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { StatusChip } from "@/components/ui/status-chip";
import type { Health, ServiceTest } from "./types";

export function ExternalServices({ services }: { services: Health["parties"] }) {
  const t = useTranslations("health.parties");
  return (
    <Card title={t("title")} description={t("text")} flush>
      <ul aria-label={t("title")} className="divide-y divide-border border-border border-t">
        {services.map((service) => (
          <ServiceRow key={service.name} service={service} />
        ))}
      </ul>
    </Card>
  );
}

function ServiceRow({ service: { name, label } }: { service: Health["parties"][number] }) {
  const t = useTranslations("health");
  const [testResult, setTestResult] = useState<ServiceTest>();
  const runTest = useAction(() => call.health.testParty.mutate({ body: { party: name } }), {
    successText: false,
    onSuccess: setTestResult,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <span className="min-w-32 flex-1 font-medium text-sm">
        <bdi>{label}</bdi>
      </span>
      <output className="contents">
        {testResult ? (
          <StatusChip tone={testResult.ok ? "success" : "danger"}>{testResult.message}</StatusChip>
        ) : null}
        {testResult?.fix ? (
          <span className="wrap-anywhere order-last w-full max-w-[75ch] text-sm">
            <span className="font-medium">{t("fix")}</span> <bdi>{testResult.fix}</bdi>
          </span>
        ) : null}
      </output>
      <Button
        size="sm"
        working={runTest.isPending}
        onClick={() => runTest.run()}
        aria-label={t("parties.testOf", { name: label })}
      >
        {t("parties.test")}
      </Button>
    </li>
  );
}
