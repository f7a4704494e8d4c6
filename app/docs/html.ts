/** Escaped markup, which `html` inserts as it is. */
export interface Markup {
  markup: string;
}

type Value = Markup | string | number | false | null | undefined | readonly Value[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function renderValue(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(renderValue).join("");
  if (typeof value === "object") return (value as Markup).markup;
  return String(value).replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Template tag. Escapes every value except markup. Attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.reduce((text, part, index) => text + renderValue(values[index - 1]) + part) };
}
