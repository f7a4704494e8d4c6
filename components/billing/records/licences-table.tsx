"use client";

import { useTranslations } from "next-intl";
import { api } from "@/components/api/client";
import { type PagedListOptions, usePagedList } from "@/components/api/use-paged-list";
import { useLicenceColumns } from "./licence-columns";
import { LICENCE_STATES, licenceParsers } from "./list-views";
import { RecordList } from "./record-list";
import type { Licence } from "./types";

type LicencePages = PagedListOptions<typeof licenceParsers, Licence>;

const useLicences: LicencePages["useRows"] = (input, options) =>
  api.records.listLicences.useQuery({ query: input }, options) as never;

export function LicencesTable({ firstPage }: { firstPage: LicencePages["firstPage"] }) {
  const t = useTranslations("billingAdmin");
  const tState = useTranslations("billingState.licence");
  const list = usePagedList(licenceParsers, { firstPage, useRows: useLicences });
  const { columns, drawer } = useLicenceColumns();
  return (
    <>
      <RecordList
        recordType="licences"
        list={list}
        parsers={licenceParsers}
        filters={[
          {
            name: "status",
            label: t("state"),
            allLabel: t("allStates"),
            options: LICENCE_STATES.map((value) => ({ value, label: tState(value) })),
          },
        ]}
        columns={columns}
      />
      {drawer}
    </>
  );
}
