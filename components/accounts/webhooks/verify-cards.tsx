"use client";

import { useTranslations } from "next-intl";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Tabs } from "@/components/ui/tabs";
import { SAMPLE_REQUEST, VERIFICATION_EXAMPLES } from "./samples";

const PROTOCOL = "HTTP";

export function VerifyCards() {
  const t = useTranslations("webhooks");
  return (
    <div className="grid items-start gap-6 *:min-w-0 xl:grid-cols-2">
      <Card title={t("sample.title")} description={t("sample.text")}>
        <CodeBlock title={PROTOCOL} code={SAMPLE_REQUEST} />
      </Card>
      <Card title={t("verify.title")} description={t("verify.text")}>
        <Tabs
          label={t("verify.label")}
          tabs={VERIFICATION_EXAMPLES.map(({ language, file, code }) => ({
            value: language,
            label: language,
            content: <CodeBlock title={file} code={code} />,
          }))}
        />
      </Card>
    </div>
  );
}
