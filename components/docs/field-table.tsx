import { useTranslations } from "next-intl";
import { useFormat } from "@/components/ui/use-format";
import type { DocField } from "./types";

/** Fields with their types and limits. */
export function FieldTable({ title, fields }: { title: string; fields: readonly DocField[] }) {
  return (
    <table className="w-full border-collapse text-compact">
      <caption className="pb-2 text-start font-medium text-sm">{title}</caption>
      <FieldHead />
      <tbody className="divide-y divide-border">
        {fields.map((field) => (
          <FieldRow key={field.path} field={field} />
        ))}
      </tbody>
    </table>
  );
}

function FieldHead() {
  const t = useTranslations("docs.field");
  return (
    <thead className="sr-only">
      <tr>
        <th scope="col">{t("name")}</th>
        <th scope="col">{t("rules")}</th>
      </tr>
    </thead>
  );
}

function FieldRow({ field }: { field: DocField }) {
  const t = useTranslations("docs.field");
  return (
    <tr>
      <th scope="row" className="w-1/2 py-2 pe-4 text-start align-top font-normal">
        <code dir="ltr" className="wrap-anywhere font-mono text-fg">
          {field.path}
        </code>
        {field.required ? <span className="ms-2 text-caption text-danger-text">{t("required")}</span> : null}
      </th>
      <td className="py-2 align-top text-fg-muted">
        <bdi dir="ltr" className="font-mono">
          {field.values.length > 0 ? field.values.map((value) => `"${value}"`).join(" | ") : field.type}
        </bdi>
        <FieldLimit limit={field.limit} />
      </td>
    </tr>
  );
}

function FieldLimit({ limit }: Pick<DocField, "limit">) {
  const t = useTranslations("docs.field");
  const { number } = useFormat();
  if (!limit) return null;
  const { kind, min, max } = limit;
  const range =
    min !== null && max !== null
      ? `${number(min)}–${number(max)}`
      : max !== null
        ? `≤ ${number(max)}`
        : `≥ ${number(min ?? 0)}`;
  return (
    <span className="block text-caption text-fg-subtle">
      {kind === "characters" ? t("characters", { range }) : t("value", { range })}
    </span>
  );
}
