"use client";

import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { api } from "@/components/api/client";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { NativeSelect } from "@/components/ui/native-select";
import { ProgressBar } from "@/components/ui/progress-bar";
import { Time } from "@/components/ui/time";
import { ImportRows } from "./import-rows";
import type { Import } from "./types";

type MappedField = keyof Import["mapping"];
const FIELDS: readonly MappedField[] = ["name", "email", "phone"];
const NONE = "none";

export interface ImportStepsProps {
  found: Import;
  onAgain: () => void;
}

/** What follows on the file: the columns and a preview, or the report. */
export function ImportSteps({ found, onAgain }: ImportStepsProps) {
  const t = useTranslations("customerImport");
  const again = <Button onClick={onAgain}>{t("preview.again")}</Button>;
  if (found.state === "uploaded") return <Columns found={found} again={again} />;
  return <ReportCard found={found} again={found.state === "done" ? again : null} />;
}

function Columns({ found, again }: { found: Import; again: React.ReactNode }) {
  const t = useTranslations("customerImport");
  const utils = api.useUtils();
  const params = { id: String(found.id) };
  const [mapping, setMapping] = useState(found.mapping);
  const save = api.customerImports.map.useMutation();
  const run = api.customerImports.run.useMutation();
  const show = (next: { import: Import }) =>
    utils.customerImports.get.setData({ params }, { success: true, import: next.import });
  const { name, email, phone } = mapping;
  const stored = async () => {
    if (name === null || email === null) return;
    const saved = await save.mutateAsync({ params, body: { mapping: { name, email, phone } } });
    show(saved);
    return saved;
  };
  const preview = useAction(stored, { success: false });
  const begin = useAction(async () => (await stored()) && run.mutateAsync({ params }), { onSuccess: show });
  const isShown = FIELDS.every((field) => found.mapping[field] === mapping[field]) && found.rows.length > 0;
  const ready = found.rows.filter(({ outcome }) => outcome === "ready").length;
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={t("map.title")}
        description={t("map.text")}
        footer={
          <>
            <Button
              disabled={name === null || email === null}
              working={preview.working}
              onClick={() => preview.attempt()}
            >
              {t("map.save")}
            </Button>
            {again}
          </>
        }
      >
        <div className="flex flex-col gap-4">
          {preview.problem ? <FormAlert tone="danger">{preview.problem}</FormAlert> : null}
          <div className="grid gap-4 sm:grid-cols-3">
            {FIELDS.map((field) => (
              <Field key={field} label={t(`map.${field}`)} optional={field === "phone"}>
                <NativeSelect
                  value={mapping[field] === null ? (field === "phone" ? NONE : null) : String(mapping[field])}
                  placeholder={t("map.choose")}
                  onValueChange={(value) =>
                    setMapping({ ...mapping, [field]: value === NONE ? null : Number(value) })
                  }
                  options={[
                    ...(field === "phone" ? [{ value: NONE, label: t("map.none") }] : []),
                    ...found.columns.map((column, index) => ({
                      value: String(index),
                      label: column || t("map.column", { number: index + 1 }),
                    })),
                  ]}
                />
              </Field>
            ))}
          </div>
        </div>
      </Card>
      {isShown ? (
        <Card
          title={t("preview.title")}
          description={`${t("preview.ready", { count: ready })} ${t("preview.problems", { count: found.rows.length - ready })}`}
          footer={
            <Button
              variant="primary"
              disabled={ready === 0}
              working={begin.working}
              onClick={() => begin.attempt()}
            >
              {t("preview.run")}
            </Button>
          }
        >
          {begin.problem ? <FormAlert tone="danger">{begin.problem}</FormAlert> : null}
          <ImportRows rows={found.rows} />
        </Card>
      ) : null}
    </div>
  );
}

function ReportCard({ found, again }: { found: Import; again: React.ReactNode }) {
  const t = useTranslations("customerImport");
  const id = useId();
  const { done, total, rows, continues_at: continuesAt } = found;
  const invited = rows.filter(({ outcome }) => outcome === "invited").length;
  if (found.state === "running")
    return (
      <Card title={t("report.title")} description={t("report.leave")}>
        <ProgressBar
          id={id}
          label={found.file_name ?? t("file.label")}
          value={done}
          max={total}
          valueText={t("report.running", { done, total })}
        />
        {continuesAt ? (
          <p className="mt-4 text-fg-muted text-sm">
            {t.rich("report.waits", { time: () => <Time value={continuesAt} show="dateTime" /> })}
          </p>
        ) : null}
      </Card>
    );
  return (
    <Card
      title={t("report.title")}
      description={`${t("report.invited", { count: invited })} ${t("report.left", { count: rows.length - invited })}`}
      footer={again}
    >
      <ImportRows rows={rows} />
    </Card>
  );
}
