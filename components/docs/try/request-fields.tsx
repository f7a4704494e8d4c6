import { type ReactNode, useId } from "react";
import { controlStyle } from "@/components/ui/control-style";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { TryField, TryFormData, TryValues } from "./try-form-data";

const IDEMPOTENCY_KEY = "Idempotency-Key";
const NO_VALUE_LABEL = "–";

export interface RequestFieldsProps {
  spec: TryFormData;
  values: TryValues;
  onChange: (values: TryValues) => void;
}

export function RequestFields({ spec, values, onChange }: RequestFieldsProps) {
  const { texts } = spec;
  const id = useId();
  return (
    <>
      {spec.params.length > 0 ? (
        <FieldGroup title={texts.path}>
          <FieldInputs
            fields={spec.params}
            inputs={values.params}
            onChange={(params) => onChange({ ...values, params })}
            {...{ texts }}
          />
        </FieldGroup>
      ) : null}
      {spec.query.length > 0 ? (
        <FieldGroup title={texts.query}>
          <FieldInputs
            fields={spec.query}
            inputs={values.query}
            onChange={(query) => onChange({ ...values, query })}
            {...{ texts }}
          />
        </FieldGroup>
      ) : null}
      {spec.upload ? (
        <div className="flex flex-col gap-1.5">
          <label htmlFor={`${id}-file`} className="font-medium text-sm">
            {texts.file}
          </label>
          <input
            id={`${id}-file`}
            type="file"
            accept={spec.upload.accept}
            onChange={({ target }) => onChange({ ...values, file: target.files?.[0] ?? null })}
            className="max-w-full text-sm file:me-3 file:rounded-control file:border file:border-border-strong/55 file:bg-surface file:px-3 file:py-1.5"
          />
        </div>
      ) : null}
      {spec.body === null ? null : (
        <div className="flex flex-col gap-1.5">
          <label htmlFor={`${id}-body`} className="font-medium text-sm">
            {texts.body}
          </label>
          <div dir="ltr" className="font-mono">
            <Textarea
              id={`${id}-body`}
              rows={6}
              spellCheck={false}
              autoCapitalize="off"
              value={values.body}
              onChange={({ target }) => onChange({ ...values, body: target.value })}
            />
          </div>
        </div>
      )}
      {spec.idempotent ? (
        <div className="flex flex-col gap-1.5">
          <label htmlFor={`${id}-key`} className="text-sm">
            <code dir="ltr">{IDEMPOTENCY_KEY}</code> <span className="text-fg-subtle">{texts.optional}</span>
          </label>
          <Input
            id={`${id}-key`}
            dir="ltr"
            size="sm"
            maxLength={255}
            value={values.idempotencyKey}
            onChange={({ target }) => onChange({ ...values, idempotencyKey: target.value })}
          />
        </div>
      ) : null}
    </>
  );
}

function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-sm">{title}</legend>
      <div className="grid gap-3 sm:grid-cols-2">{children}</div>
    </fieldset>
  );
}

interface FieldInputsProps {
  fields: readonly TryField[];
  inputs: Record<string, string>;
  texts: TryFormData["texts"];
  onChange: (inputs: Record<string, string>) => void;
}

function FieldInputs({ fields, inputs, texts, onChange }: FieldInputsProps) {
  const id = useId();
  return fields.map(({ name, type, required, values, sample }) => {
    const inputId = `${id}-${name}`;
    const setInput = (value: string) => onChange({ ...inputs, [name]: value });
    return (
      <div key={name} className="flex min-w-0 flex-col gap-1">
        <label htmlFor={inputId} className="text-sm">
          <code dir="ltr" className="wrap-anywhere">
            {name}
          </code>{" "}
          {required ? null : <span className="text-fg-subtle">{texts.optional}</span>}
        </label>
        {values.length > 0 ? (
          <select
            id={inputId}
            dir="ltr"
            value={inputs[name]}
            onChange={({ target }) => setInput(target.value)}
            className={controlStyle({ size: "sm" })}
          >
            {required ? null : <option value="">{NO_VALUE_LABEL}</option>}
            {values.map((value) => (
              <option key={value} value={value}>
                {value}
              </option>
            ))}
          </select>
        ) : (
          <Input
            id={inputId}
            dir="ltr"
            size="sm"
            placeholder={sample || type}
            value={inputs[name]}
            onChange={({ target }) => setInput(target.value)}
          />
        )}
      </div>
    );
  });
}
