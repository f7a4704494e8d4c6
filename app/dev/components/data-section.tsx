"use client";

import { Ellipsis, Globe, Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { Avatar } from "@/components/ui/avatar";
import { Badge } from "@/components/ui/badge";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { Countdown } from "@/components/ui/countdown";
import { type Column, createActionColumn, DataTable, type Sort } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { IconButton } from "@/components/ui/icon-button";
import { KeyValue } from "@/components/ui/key-value";
import { Menu, MenuItem } from "@/components/ui/menu";
import { FormattedNumber, Money } from "@/components/ui/number";
import { StatusChip } from "@/components/ui/status-chip";
import { Time } from "@/components/ui/time";
import type { Tone } from "@/components/ui/tone";

interface SampleSite {
  id: string;
  name: string;
  domain: string;
  state: "active" | "pending" | "suspended";
  price: number;
  createdAt: number;
}

const SAMPLE_TIME = Date.UTC(2027, 10, 20, 9, 30);
const STATE_TONES: Record<SampleSite["state"], Tone> = {
  active: "success",
  pending: "warning",
  suspended: "danger",
};
const SAMPLE_SITES: SampleSite[] = [
  {
    id: "1",
    name: "Kahve Dünyası",
    domain: "kahve.example.com",
    state: "active",
    price: 3999,
    createdAt: SAMPLE_TIME,
  },
  {
    id: "2",
    name: "İğde Bahçesi Peyzaj",
    domain: "igde.example.com",
    state: "pending",
    price: 3999.5,
    createdAt: SAMPLE_TIME - 86_400_000 * 40,
  },
  {
    id: "3",
    name: "Deniz Otel",
    domain: "deniz.example.com",
    state: "suspended",
    price: 0,
    createdAt: SAMPLE_TIME - 86_400_000 * 400,
  },
];

export function DataSection() {
  const t = useTranslations();
  return (
    <>
      <div className="flex flex-col gap-6 lg:col-span-2">
        <SitesTable />
        <Card title="EmptyState" flush>
          <DataTable
            caption={t("navigation.sites")}
            columns={[]}
            rows={[]}
            rowKey={String}
            emptyState={
              <EmptyState
                icon={<Globe />}
                heading="h3"
                title={t("gallery.emptyTitle")}
                action={
                  <Button variant="primary" icon={<Plus />}>
                    {t("gallery.siteNew")}
                  </Button>
                }
              >
                {t("gallery.emptyText")}
              </EmptyState>
            }
          />
        </Card>
      </div>
      <Card title="KeyValue, Time, Money, Avatar, Badge">
        <KeyValue
          items={[
            {
              key: "name",
              label: t("gallery.name"),
              value: (
                <span className="flex items-center gap-3">
                  <Avatar name="ibrahim Yıldız" /> <bdi>İbrahim Yıldız</bdi>{" "}
                  <Badge>{t("navigation.groupAdmin")}</Badge>
                </span>
              ),
            },
            {
              key: "domain",
              label: t("gallery.domain"),
              value: <Ltr mono>kahve.example.com</Ltr>,
              action: <CopyButton compact text="kahve.example.com" />,
            },
            {
              key: "state",
              label: t("gallery.state"),
              value: <StatusChip tone="success">{t("gallery.active")}</StatusChip>,
            },
            { key: "price", label: t("gallery.price"), value: <Money amount={3999} /> },
            {
              key: "exact",
              label: t("gallery.price"),
              value: <Money amount={12_499.9} currency="EUR" exact />,
            },
            { key: "number", label: t("navigation.sites"), value: <FormattedNumber value={1_234_567} /> },
            { key: "created", label: t("gallery.created"), value: <Time value={SAMPLE_TIME} /> },
            {
              key: "zone",
              label: t("gallery.created"),
              value: <Time value={SAMPLE_TIME} show="dateTime" showZone />,
            },
            {
              key: "clock",
              label: t("gallery.pending"),
              value: <Countdown until={SAMPLE_TIME + 86_400_000 * 3650} />,
            },
          ]}
        />
      </Card>
      <CodeBlock
        title="curl"
        code={
          'curl https://panel.example.com/api/sites \\\n  -H "Authorization: Bearer tll_0123456789abcdef0123456789abcdef0123456789" \\\n  -H "Accept: application/json"'
        }
      />
    </>
  );
}

function SitesTable() {
  const t = useTranslations();
  const [sort, setSort] = useState<Sort>({ by: "name", direction: "asc" });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(["2"]));
  const [page, setPage] = useState(1);
  const columns: Column<SampleSite>[] = [
    { id: "name", header: t("gallery.name"), sortable: true, cell: (site) => <bdi>{site.name}</bdi> },
    { id: "domain", header: t("gallery.domain"), cell: (site) => <Ltr>{site.domain}</Ltr> },
    {
      id: "state",
      header: t("gallery.state"),
      cell: (site) => <StatusChip tone={STATE_TONES[site.state]}>{t(`gallery.${site.state}`)}</StatusChip>,
    },
    {
      id: "price",
      header: t("gallery.price"),
      align: "end",
      sortable: true,
      cell: (site) => <Money amount={site.price} />,
    },
    {
      id: "created",
      header: t("gallery.created"),
      hideOnCard: true,
      sortable: true,
      cell: (site) => <Time value={site.createdAt} show="date" />,
    },
    createActionColumn(t("common.actions"), (site) => (
      <Menu
        trigger={
          <IconButton
            label={`${t("common.actions")}: ${site.name}`}
            icon={<Ellipsis />}
            size="sm"
            tooltip={false}
          />
        }
      >
        <MenuItem>{t("common.edit")}</MenuItem>
        <MenuItem danger>{t("common.delete")}</MenuItem>
      </Menu>
    )),
  ];
  return (
    <Card title="DataTable" flush actions={<Button icon={<Plus />}>{t("gallery.siteNew")}</Button>}>
      <DataTable
        caption={t("navigation.sites")}
        columns={columns}
        rows={SAMPLE_SITES}
        rowKey={(site) => site.id}
        sort={sort}
        onSort={setSort}
        selection={{ selected, onChange: setSelected, rowLabel: (site) => site.name }}
        paging={{ page, pageSize: 3, total: 1240, onPageChange: setPage }}
      />
    </Card>
  );
}
