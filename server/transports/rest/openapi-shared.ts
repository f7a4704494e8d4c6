import type { Json } from "./json-schema";
import type { Pieces } from "./pieces";

interface Described {
  parameters: Json[];
  responses: Record<string, Json>;
}

/** Puts parameters and refusals that several operations have under `components`, and references in their places. */
export function* shareAlike(paths: Record<string, Record<string, Json>>): Pieces<{
  parameters: Record<string, Json>;
  responses: Record<string, Json>;
}> {
  const all = Object.values(paths).flatMap((methods) => Object.values(methods) as unknown as Described[]);
  const parameters = new Shared("parameters", (one) => `${one.name}`);
  const responses = new Shared("responses", (one) => String(one.description).replaceAll("`, `", "_or_"));
  for (const described of all) {
    for (const parameter of described.parameters) parameters.count(parameter);
    for (const response of refusals(described)) responses.count(response[1]);
    yield;
  }
  for (const described of all) {
    described.parameters = described.parameters.map((parameter) => parameters.placed(parameter));
    for (const [status, response] of refusals(described))
      described.responses[status] = responses.placed(response);
    yield;
  }
  return { parameters: parameters.components, responses: responses.components };
}

function refusals({ responses }: Described): Array<[string, Json]> {
  return Object.entries(responses).filter(([status]) => Number(status) >= 400);
}

/** What stands in one place for all who have it alike. */
class Shared {
  readonly components: Record<string, Json> = {};
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly kind: string,
    private readonly nameOf: (one: Json) => string,
  ) {}

  count(one: Json): void {
    const text = JSON.stringify(one);
    this.counts.set(text, (this.counts.get(text) ?? 0) + 1);
  }

  /** A reference, where at least two have it and no other content has its name. */
  placed(one: Json): Json {
    const text = JSON.stringify(one);
    const name = capitalised(this.nameOf(one));
    const known = this.components[name];
    if (this.counts.get(text)! < 2 || (known && JSON.stringify(known) !== text)) return one;
    this.components[name] = one;
    return { $ref: `#/components/${this.kind}/${name}` };
  }
}

/** `body_too_large` as `BodyTooLarge`. */
function capitalised(name: string): string {
  return name.replaceAll("`", "").replace(/(?:^|[_-])(.)/g, (_, letter: string) => letter.toUpperCase());
}
