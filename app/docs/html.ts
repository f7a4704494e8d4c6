/** Markup that is already escaped: `html` inserts it unchanged. */
export interface Markup {
  markup: string;
}

type HtmlValue = Markup | string | number | false | null | undefined | readonly HtmlValue[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function renderValue(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(renderValue).join("");
  if (typeof value === "object") return (value as Markup).markup;
  return String(value).replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Template tag. Escapes every value except markup. Attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Markup {
  return { markup: parts.reduce((text, part, index) => text + renderValue(values[index - 1]) + part) };
}
