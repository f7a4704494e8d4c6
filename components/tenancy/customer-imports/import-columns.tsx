"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useRef, useState } from "react";
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

const MAPPED_FIELDS = ["name", "last_name", "email", "phone"] as const satisfies readonly MappedField[];
const OPTIONAL_FIELDS: ReadonlySet<MappedField> = new Set(["last_name", "phone"]);
const NO_COLUMN = "none";

export function ImportColumns({
  customerImport,
  restartButton,
}: {
  customerImport: Import;
  restartButton: ReactNode;
}) {
  const t = useTranslations("customerImport");
  const getErrorText = useErrorText();
  const utils = api.useUtils();
  const params = { id: String(customerImport.id) };
  const [mapping, setMapping] = useState(customerImport.mapping);
  const [hasHeader, setHasHeader] = useState(customerImport.has_header);
  // One call after another: the last choice must also be the last that is saved.
  const saveMapping = api.customerImports.map.useMutation({ scope: { id: `import-${customerImport.id}` } });
  const callCount = useRef(0);
  const cacheImport = (response: { import: Import }) =>
    utils.customerImports.get.setData({ params }, { success: true, import: response.import });
  const { name, email } = mapping;

  function selectColumn(field: MappedField, value: string) {
    const nextMapping = { ...mapping, [field]: value === NO_COLUMN ? null : Number(value) };
    setMapping(nextMapping);
    if (nextMapping.name === null || nextMapping.email === null) return;
    void save({ mapping: { ...nextMapping, name: nextMapping.name, email: nextMapping.email } });
  }

  async function saveHasHeader(has_header: boolean) {
    setHasHeader(has_header);
    const response = await save({ has_header });
    if (response) setMapping(response.import.mapping);
  }

  /** Returns the response, or undefined if the call failed or a newer one follows. */
  async function save(body: Parameters<typeof saveMapping.mutate>[0]["body"]) {
    const callNumber = ++callCount.current;
    const response = await saveMapping.mutateAsync({ params, body }).catch(() => undefined);
    if (response) cacheImport(response);
    if (callNumber !== callCount.current) return;
    const stored = utils.customerImports.get.getData({ params })?.import ?? customerImport;
    setHasHeader(stored.has_header);
    return response;
  }

  const startImport = useAction(
    async () => {
      if (name === null || email === null) return;
      cacheImport(await saveMapping.mutateAsync({ params, body: { mapping: { ...mapping, name, email } } }));
      return call.customerImports.run.mutate({ params });
    },
    { onSuccess: cacheImport },
  );
  const isSaved = MAPPED_FIELDS.every((field) => customerImport.mapping[field] === mapping[field]);
  const readyCount = customerImport.rows.filter(({ outcome }) => outcome === "ready").length;
  return (
    <div className="flex flex-col gap-6">
      <Card title={t("map.title")} description={t("map.text")} footer={restartButton}>
        <div className="flex flex-col gap-5">
          {saveMapping.isError && !startImport.isPending ? (
            <FormAlert tone="danger">{getErrorText(saveMapping.error)}</FormAlert>
          ) : null}
          <ImportSample customerImport={customerImport} fields={MAPPED_FIELDS} mapping={mapping} />
          <Switch
            label={t("map.header")}
            checked={hasHeader}
            onChange={({ target }) => void saveHasHeader(target.checked)}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            {MAPPED_FIELDS.map((field) => (
              <Field key={field} label={t(`map.${field}`)} optional={OPTIONAL_FIELDS.has(field)}>
                <NativeSelect
                  value={toSelectValue(mapping[field], OPTIONAL_FIELDS.has(field))}
                  placeholder={t("map.choose")}
                  onValueChange={(value) => selectColumn(field, value)}
                  options={[
                    ...(OPTIONAL_FIELDS.has(field) ? [{ value: NO_COLUMN, label: t("map.none") }] : []),
                    ...toColumnOptions(customerImport, mapping[field]),
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
          description={`${t("preview.ready", { count: readyCount })} ${t("preview.problems", { count: customerImport.rows.length - readyCount })}`}
          footer={
            <Button
              variant="primary"
              disabled={readyCount === 0 || !isSaved}
              working={startImport.isPending}
              onClick={() => startImport.attempt()}
            >
              {t("preview.run")}
            </Button>
          }
        >
          {startImport.problem ? <FormAlert tone="danger">{startImport.problem}</FormAlert> : null}
          <ImportRows rows={customerImport.rows} />
        </Card>
      ) : null}
    </div>
  );
}

function toSelectValue(column: number | null, isOptional: boolean): string | null {
  if (column !== null) return String(column);
  return isOptional ? NO_COLUMN : null;
}

function toColumnOptions({ columns, examples }: Import, selectedColumn: number | null) {
  return columns.flatMap((heading, index) => {
    const example = examples[index];
    if (!example) return index === selectedColumn ? [{ value: String(index), label: heading }] : [];
    // Directional isolates keep heading and example in order in right-to-left text.
    return [{ value: String(index), label: `\u2068${heading}\u2069 · \u2068${example}\u2069` }];
  });
}
