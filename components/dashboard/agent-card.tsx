import { Check, Globe, Minus } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SiteStateWithReason } from "@/components/sites/sites/site-facts";
import { getSitePath } from "@/components/sites/sites/site-path";
import type { Site } from "@/components/sites/sites/types";
import { Ltr } from "@/components/ui/bidi";
import { Card } from "@/components/ui/card";
import { Domain } from "@/components/ui/domain";
import { EmptyState } from "@/components/ui/empty-state";
import { KeyValue } from "@/components/ui/key-value";
import { LinkButton } from "@/components/ui/link-button";
import { Time } from "@/components/ui/time";
import { useFormat } from "@/components/ui/use-format";
import type { Output } from "@/server/core/contract";
import type { getAccountOverview } from "@/server/domains/tenancy/overview/contract";

type Agent = NonNullable<Output<typeof getAccountOverview>["agent"]>;

export interface AgentSiteCardProps {
  site: Site | undefined;
  lastActiveAt: string | undefined;
  owner: Agent["owner"];
}

export function AgentSiteCard({ site, lastActiveAt, owner }: AgentSiteCardProps) {
  const t = useTranslations("dashboard.agent");
  if (!site) {
    return (
      <Card>
        <EmptyState icon={<Globe />} title={t("none")}>
          <p>{t("noneText")}</p>
          {owner ? <OwnerContact owner={owner} /> : null}
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card
      title={<bdi>{site.name}</bdi>}
      description={<Domain name={site.domain} />}
      actions={<SiteStateWithReason site={site} />}
      footer={<LinkButton href={getSitePath(site.id)}>{t("open")}</LinkButton>}
    >
      <KeyValue
        items={[
          ...(lastActiveAt
            ? [{ key: "active", label: t("active"), value: <Time value={lastActiveAt} /> }]
            : []),
          { key: "assistant", label: t("assistant"), value: t(site.ai_enabled ? "aiOn" : "aiOff") },
          ...(owner ? [{ key: "owner", label: t("owner"), value: <OwnerContact owner={owner} /> }] : []),
        ]}
      />
    </Card>
  );
}

/** Abilities of the agent, and those of the owner alone. */
export function AgentAbilitiesCard({ agent: { can, cannot, modules, owner } }: { agent: Agent }) {
  const t = useTranslations("dashboard.agent");
  const { list: formatList } = useFormat();
  return (
    <Card title={t("abilities.title")}>
      <div className="flex flex-col gap-5">
        <AbilityList
          title={t("abilities.can")}
          icon={<Check className="text-success-text" />}
          texts={can.map((key) => t(`abilities.${key}`))}
        />
        <AbilityList
          title={t("abilities.cannot")}
          icon={<Minus className="text-fg-muted" />}
          texts={cannot.map((key) => t(`abilities.${key}`))}
        />
        {modules ? (
          <p className="text-sm">
            {modules.length > 0
              ? t("modules", { modules: formatList(modules.map((name) => t(`module.${name}`))) })
              : t("modulesNone")}
          </p>
        ) : null}
        {owner ? (
          <p className="text-fg-muted text-sm">
            {t.rich("ask", { contact: () => <OwnerContact owner={owner} /> })}
          </p>
        ) : null}
      </div>
    </Card>
  );
}

function AbilityList({ title, icon, texts }: { title: string; icon: ReactNode; texts: readonly string[] }) {
  return (
    <div>
      <h3 className="font-medium text-sm">{title}</h3>
      <ul className="mt-2 flex flex-col gap-1.5 text-sm">
        {texts.map((text) => (
          <li key={text} className="flex items-start gap-2.5">
            <span className="mt-0.5 shrink-0">{icon}</span>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function OwnerContact({ owner: { name, email } }: { owner: NonNullable<Agent["owner"]> }) {
  return (
    <span className="wrap-anywhere">
      <bdi>{name}</bdi>
      {" · "}
      <a
        href={`mailto:${email}`}
        className="inline-flex min-h-6 items-center text-primary-text underline decoration-primary-text/35 underline-offset-4"
      >
        <Ltr>{email}</Ltr>
      </a>
    </span>
  );
}
