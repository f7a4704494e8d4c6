import type { Fragment } from "./sql";

type Value<Given> = Fragment | ((given: Given) => unknown);

/** A piece of SQL with values of its own, which a domain offers to the statements of others. */
export class Part<Given> {
  constructor(
    readonly strings: readonly string[],
    readonly values: ReadonlyArray<Value<Given> | Part<Given>>,
  ) {}

  /** Returns the same template without parts in it. */
  flat(): { strings: string[]; values: Value<Given>[] } {
    const [first = "", ...others] = this.strings;
    const strings = [first];
    const append = (text: string) => strings.push((strings.pop() ?? "") + text);
    const values = others.flatMap((text, index) => {
      const value = this.values[index]!;
      const inner = value instanceof Part ? value.flat() : { strings: ["", ""], values: [value] };
      append(inner.strings[0]!);
      strings.push(...inner.strings.slice(1));
      append(text);
      return inner.values;
    });
    return { strings, values };
  }
}

export function part<Given>(
  strings: TemplateStringsArray,
  ...values: Array<Value<Given> | Part<Given>>
): Part<Given> {
  return new Part(strings, values);
}
