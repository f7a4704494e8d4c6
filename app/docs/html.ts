/** Markup, which is not escaped again. */
export interface Markup {
  markup: string;
}

type Value = Markup | string | number | false | null | undefined | readonly Value[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function render(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(render).join("");
  if (typeof value === "object") return (value as Markup).markup;
  return String(value).replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Template tag for markup. Escapes every value except nested markup. Attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.reduce((text, part, at) => text + render(values[at - 1]) + part) };
}
