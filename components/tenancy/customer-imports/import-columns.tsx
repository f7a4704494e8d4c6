"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { api, call } from "@/components/api/client";
import { useErrorText } from "@/components/api/form-error";
import { useAction } from "@/components/form/use-action";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { FormAlert } from "@/components/ui/form-alert";
import { NativeSelect } from "@/components/ui/native-select";
import { Switch } from "@/components/ui/switch";
import { ImportRows } from "./import-rows";
import { ImportSample } from "./import-sample";
import type { Import, MappedField } from "./types";

const FIELDS = ["name", "last_name", "email", "phone"] as const satisfies readonly MappedField[];
const OPTIONAL: ReadonlySet<MappedField> = new Set(["last_name", "phone"]);
const NONE = "none";

export function ImportColumns({ customerImport, restart }: { customerImport: Import; restart: ReactNode }) {
  const t = useTranslations("customerImport");
  const errorText = useErrorText();
  const utils = api.useUtils();
  const params = { id: String(customerImport.id) };
  const [mapping, setMapping] = useState(customerImport.mapping);
  const save = api.customerImports.map.useMutation();
  const show = (next: { import: Import }) =>
    utils.customerImports.get.setData({ params }, { success: true, import: next.import });
  const { name, email } = mapping;

  function choose(field: MappedField, value: string) {
    const next = { ...mapping, [field]: value === NONE ? null : Number(value) };
    setMapping(next);
    if (next.name === null || next.email === null) return;
    save.mutate(
      { params, body: { mapping: { ...next, name: next.name, email: next.email } } },
      { onSuccess: show },
    );
  }

  function setHeader(has_header: boolean) {
    save.mutate(
      { params, body: { has_header } },
      {
        onSuccess: (next) => {
          setMapping(next.import.mapping);
          show(next);
        },
      },
    );
  }

  const start = useAction(
    async () => {
      if (name === null || email === null) return;
      show(await save.mutateAsync({ params, body: { mapping: { ...mapping, name, email } } }));
      return call.customerImports.run.mutate({ params });
    },
    { onSuccess: show },
  );
  const hasHeader =
    (save.isPending ? save.variables.body?.has_header : undefined) ?? customerImport.has_header;
  const isSaved = FIELDS.every((field) => customerImport.mapping[field] === mapping[field]);
  const ready = customerImport.rows.filter(({ outcome }) => outcome === "ready").length;
  return (
    <div className="flex flex-col gap-6">
      <Card title={t("map.title")} description={t("map.text")} footer={restart}>
        <div className="flex flex-col gap-5">
          {save.isError && !start.working ? (
            <FormAlert tone="danger">{errorText(save.error)}</FormAlert>
          ) : null}
          <ImportSample customerImport={customerImport} fields={FIELDS} mapping={mapping} />
          <Switch
            label={t("map.header")}
            checked={hasHeader}
            onChange={({ target }) => setHeader(target.checked)}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            {FIELDS.map((field) => (
              <Field key={field} label={t(`map.${field}`)} optional={OPTIONAL.has(field)}>
                <NativeSelect
                  value={selectedValue(mapping[field], OPTIONAL.has(field))}
                  placeholder={t("map.choose")}
                  onValueChange={(value) => choose(field, value)}
                  options={[
                    ...(OPTIONAL.has(field) ? [{ value: NONE, label: t("map.none") }] : []),
                    ...optionsOf(customerImport, mapping[field]),
                  ]}
                />
              </Field>
            ))}
          </div>
        </div>
      </Card>
      {customerImport.rows.length > 0 ? (
        <Card
          title={t("preview.title")}
          description={`${t("preview.ready", { count: ready })} ${t("preview.problems", { count: customerImport.rows.length - ready })}`}
          footer={
            <Button
              variant="primary"
              disabled={ready === 0 || !isSaved}
              working={start.working}
              onClick={() => start.attempt()}
            >
              {t("preview.run")}
            </Button>
          }
        >
          {start.problem ? <FormAlert tone="danger">{start.problem}</FormAlert> : null}
          <ImportRows rows={customerImport.rows} />
        </Card>
      ) : null}
    </div>
  );
}

function selectedValue(column: number | null, isOptional: boolean): string | null {
  if (column !== null) return String(column);
  return isOptional ? NONE : null;
}

/** Lists columns with content, by heading and first cell. */
function optionsOf({ columns, examples }: Import, chosen: number | null) {
  return columns.flatMap((heading, index) => {
    const example = examples[index];
    if (!example) return index === chosen ? [{ value: String(index), label: heading }] : [];
    // Directional isolates keep heading and example in order in right-to-left text.
    return [{ value: String(index), label: `\u2068${heading}\u2069 · \u2068${example}\u2069` }];
  });
}
