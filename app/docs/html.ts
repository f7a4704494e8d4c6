/** Text that is markup already. */
export interface Markup {
  markup: string;
}

type Value = Markup | string | number | false | null | undefined | readonly Value[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function written(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(written).join("");
  if (typeof value === "object") return (value as Markup).markup;
  return String(value).replace(/[&<>"]/g, (character) => ENTITIES[character]!);
}

/** Markup of a template: its values are escaped, unless they are markup themselves; attributes stand in double quotes. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.reduce((text, part, at) => text + written(values[at - 1]) + part) };
}
