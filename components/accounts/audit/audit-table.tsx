"use client";

import type { Route } from "next";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { SavedViewTabs } from "@/components/accounts/preferences/saved-view-tabs";
import { api } from "@/components/api/client";
import { CsvLink } from "@/components/api/csv-link";
import { buildListTexts, ListCard } from "@/components/api/list-card";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { Ltr } from "@/components/ui/bidi";
import type { Column } from "@/components/ui/data-table";
import { PersonName } from "@/components/ui/person-name";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { Output } from "@/server/core/contract";
import type { listAudit } from "@/server/domains/accounts/audit/contract";
import { AUDIT_FILTERS, AuditFilters } from "./audit-filters";
import { auditParsers, buildAuditCsvPath } from "./list-view";

type Entry = Output<typeof listAudit>["data"][number];
type EntriesPage = PagedListOptions<typeof auditParsers, Entry>;

const useEntries: EntriesPage["useRows"] = (input, options) =>
  api.audit.listEntries.useQuery({ query: input }, options);

export function AuditTable({ firstPage }: { firstPage: EntriesPage["firstPage"] }) {
  const t = useTranslations("auditLog");
  const list = usePagedList(auditParsers, { firstPage, useRows: useEntries });
  const { view } = list;
  const columns: Column<Entry>[] = [
    {
      id: "action",
      header: t("column.action"),
      isCardTitle: true,
      cell: (entry) => <Action entry={entry} />,
    },
    { id: "by", header: t("column.by"), cell: (entry) => <Actor entry={entry} /> },
    { id: "on", header: t("column.on"), cell: (entry) => <Subject entry={entry} /> },
    {
      id: "address",
      hideOnCard: true,
      header: t("column.address"),
      minTableWidth: "wide",
      cell: ({ ip, request_id: requestId }) => (
        <span className="flex flex-col items-start">
          {ip ? (
            <FilterButton
              label={t("filter.sameAddress", { value: ip })}
              onPress={() => list.setFilters({ ip })}
            >
              {ip}
            </FilterButton>
          ) : null}
          {requestId ? (
            <FilterButton
              label={t("filter.sameRequest", { value: requestId })}
              onPress={() => list.setFilters({ request_id: requestId })}
            >
              {`${requestId.slice(0, 8)}…`}
            </FilterButton>
          ) : null}
        </span>
      ),
    },
    { id: "at", header: t("column.at"), sortable: true, cell: ({ at }) => <Time value={at} /> },
  ];
  return (
    <ListCard
      list={list}
      texts={buildListTexts(t)}
      columns={columns}
      rowKey={(entry) => String(entry.id)}
      periodFilter={{ from: "from", to: "to", label: t("column.at") }}
      views={<SavedViewTabs list="audit" />}
      actions={
        <>
          <CsvLink href={buildAuditCsvPath(view)}>{t("csv")}</CsvLink>
          <AuditFilters view={view} onApply={list.setFilters} />
        </>
      }
      chips={AUDIT_FILTERS.flatMap((id) => {
        const value = view[id];
        if (!value) return [];
        return [
          { id, label: t(`filter.chip.${id}`, { value }), onRemove: () => list.setFilters({ [id]: null }) },
        ];
      })}
    />
  );
}

function Action({ entry: { action, summary, details, before, after } }: { entry: Entry }) {
  const visibleDetails = Object.entries(details ?? {}).filter(([, value]) => value !== null);
  return (
    <span className="wrap-anywhere flex flex-col items-start gap-0.5 sm:py-2">
      <span>{summary}</span>
      {summary === action ? null : (
        <span className="font-normal text-compact text-fg-muted">
          <Ltr mono>{action}</Ltr>
        </span>
      )}
      {visibleDetails.map(([name, value]) => (
        <Fact key={name} name={name}>
          <bdi>{String(value)}</bdi>
        </Fact>
      ))}
      {Object.keys(after ?? {}).map((name) => (
        <Fact key={name} name={name}>
          <bdi>{formatValue(before?.[name])}</bdi> {"→"} <bdi>{formatValue(after?.[name])}</bdi>
        </Fact>
      ))}
    </span>
  );
}

const formatValue = (value: unknown) =>
  value === null || value === undefined || value === "" ? "–" : String(value);

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="font-normal text-compact text-fg-muted">
      <bdi dir="ltr">
        <span>{`${name}: `}</span>
        {children}
      </bdi>
    </span>
  );
}

function FilterButton({
  label,
  onPress,
  children,
}: {
  label: string;
  onPress: () => void;
  children: string;
}) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      onClick={onPress}
      className="min-h-6 rounded-control text-fg-muted hover:text-primary-text hover:underline hover:underline-offset-4 pointer-coarse:min-h-11"
    >
      <Ltr>{children}</Ltr>
    </button>
  );
}

function Actor({ entry: { actor, on_behalf_of: impersonatedAccount, ip } }: { entry: Entry }) {
  const t = useTranslations("auditLog");
  if (!actor) return <span className="text-fg-muted">{t(ip ? "nobody" : "system")}</span>;
  return (
    <span className="flex flex-col items-start">
      <Account person={actor} />
      {impersonatedAccount ? (
        <span className="text-compact text-fg-muted">
          {t("viewing")} <bdi>{impersonatedAccount.name ?? impersonatedAccount.id}</bdi>
        </span>
      ) : null}
    </span>
  );
}

function Subject({ entry: { object, object_type: type, object_id: id } }: { entry: Entry }) {
  if (object) return <Account person={object} />;
  return type ? <Ltr>{`${type} ${id ?? ""}`}</Ltr> : null;
}

function Account({ person: { id, name, email } }: { person: NonNullable<Entry["actor"]> }) {
  const t = useTranslations("auditLog");
  if (name === null) return <span className="text-fg-muted">{t("gone", { id: String(id) })}</span>;
  return (
    <PersonName compact email={email ?? ""}>
      <RowLink href={`/admin/users/${id}` as Route}>
        <bdi>{name}</bdi>
      </RowLink>
    </PersonName>
  );
}
