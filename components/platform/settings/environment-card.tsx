import { useTranslations } from "next-intl";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import type { Output } from "@/server/core/contract";
import type { listEnvironment } from "@/server/domains/platform/health/contract";

type Variable = Output<typeof listEnvironment>["variables"][number];

export function EnvironmentCard({ variables }: { variables: readonly Variable[] }) {
  const t = useTranslations("platformSettings.environment");
  const definedVariables = variables.filter(({ set }) => set);
  const otherVariables = variables.filter(({ set }) => !set);
  return (
    <Card title={t("title")} description={t("text")} flush>
      <VariableList variables={definedVariables} />
      <div className="border-border border-t">
        <Disclosure inCard label={t("show")}>
          <VariableList variables={otherVariables} />
        </Disclosure>
      </div>
    </Card>
  );
}

function VariableList({ variables }: { variables: readonly Variable[] }) {
  const t = useTranslations("platformSettings.environment");
  return (
    <dl className="divide-y divide-border border-border border-t">
      {variables.map(({ name, value, set, secret }) => (
        <div key={name} className="flex flex-wrap gap-x-6 gap-y-0.5 px-5 py-2.5 text-sm">
          <dt className="wrap-anywhere w-full sm:w-64">
            <Ltr mono>{name}</Ltr>
          </dt>
          <dd className="wrap-anywhere min-w-0 flex-1 text-fg-muted">
            <span>{value !== null ? <Ltr>{value}</Ltr> : t(set && secret ? "set" : "notSet")}</span>
            {value !== null && !set ? <span>{` (${t("default")})`}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
