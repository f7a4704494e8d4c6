import type { useTranslations } from "next-intl";
import type * as z from "zod";

type Translate = ReturnType<typeof useTranslations>;
type Params = Record<string, string | number>;

const PREFIX = "validation.";

/** Translates a message key such as "validation.required"; any other text (the server's own) stays as it is. */
export function keyText(t: Translate, message: string, field: string, params: Params = {}): string {
  if (!message.startsWith(PREFIX)) return message;
  const filled = { attribute: attributeName(t, field), ...params };
  const key = t.has(message as never) ? message : `${PREFIX}invalid`;
  return t.has(key as never) ? t(key as never, filled as never) : t("ui.form.invalid" as never);
}

/** Translates a zod issue, with the key the server would choose. */
export function issueText(t: Translate, issue: z.core.$ZodIssue): string {
  const { key, params } = keyOf(issue);
  return keyText(t, PREFIX + key, issue.path.join("."), params);
}

function attributeName(t: Translate, field: string): string {
  const name = field.split(".").at(-1) ?? "";
  const named = `validation.attributes.${name}`;
  return /^\w+$/.test(name) && t.has(named as never) ? t(named as never) : name.replaceAll("_", " ");
}

function keyOf(issue: z.core.$ZodIssue): { key: string; params?: Params } {
  if (issue.input === undefined || issue.input === null) return { key: "required" };
  if (issue.message.startsWith(PREFIX)) return { key: issue.message.slice(PREFIX.length) };
  switch (issue.code) {
    case "too_small":
      return { key: `min_${kindOf(issue.origin)}`, params: { min: Number(issue.minimum) } };
    case "too_big":
      return { key: `max_${kindOf(issue.origin)}`, params: { max: Number(issue.maximum) } };
    case "invalid_value":
      return { key: "in" };
    default:
      return { key: "invalid" };
  }
}

function kindOf(origin: string): "string" | "number" | "array" {
  if (origin === "string") return "string";
  return origin === "array" ? "array" : "number";
}
