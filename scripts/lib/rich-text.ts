import { type Node, parseSync, Visitor } from "oxc-parser";

/** Texts by their full key, such as `docs.search`. */
export type Texts = ReadonlyMap<string, string>;

/**
 * Returns `line: problem` of calls of `t.rich` that pass a function for a plain argument: `{name}` needs a value, and
 * only `<name></name>` calls a function. React renders nothing for a function.
 */
export function findMismatchedArguments(path: string, source: string, texts: Texts): string[] {
  const namespaces = new Map<string, string[]>();
  const functionNames = new Set<string>();
  const problems: string[] = [];
  const { program } = parseSync(path, source, { lang: "tsx" });
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init && /Function/.test(init.type)) functionNames.add(id.name);
      const call = init?.type === "AwaitExpression" ? init.argument : init;
      if (id.type !== "Identifier" || call?.type !== "CallExpression") return;
      if (call.callee.type !== "Identifier" || !/^(use|get)Translations$/.test(call.callee.name)) return;
      const [namespace] = call.arguments;
      const prefix = namespace?.type === "Literal" ? `${namespace.value}.` : "";
      namespaces.set(id.name, [...(namespaces.get(id.name) ?? []), prefix]);
    },
  }).visit(program);
  new Visitor({
    CallExpression({ callee, arguments: [key, values], start }) {
      if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return;
      if (callee.property.type !== "Identifier" || callee.property.name !== "rich") return;
      if (!key || values?.type !== "ObjectExpression") return;
      const prefixes = namespaces.get(callee.object.name) ?? [];
      const patterns = listKeyPatterns(key).flatMap((pattern) =>
        prefixes.map((prefix) => RegExp(`^${escapeDots(prefix)}${pattern}$`)),
      );
      const calledTexts = [...texts].filter(([name]) => patterns.some((pattern) => pattern.test(name)));
      for (const name of values.properties.flatMap((property) => findFunctionName(property, functionNames)))
        for (const [textKey] of calledTexts.filter(([, text]) => RegExp(`\\{${name}[,}]`).test(text)))
          problems.push(
            `${source.slice(0, start).split("\n").length}: ${textKey} has {${name}}, which is a function`,
          );
    },
  }).visit(program);
  return problems;
}

const escapeDots = (text: string) => text.replaceAll(".", "\\.");

function listKeyPatterns(key: Node): string[] {
  if (key.type === "Literal") return [escapeDots(String(key.value))];
  if (key.type === "ConditionalExpression")
    return [...listKeyPatterns(key.consequent), ...listKeyPatterns(key.alternate)];
  if (key.type === "TemplateLiteral")
    return [key.quasis.map(({ value }) => escapeDots(value.raw)).join("\\w+")];
  return [];
}

function findFunctionName(property: Node, functionNames: ReadonlySet<string>): string[] {
  if (property.type !== "Property" || property.key.type !== "Identifier") return [];
  const { value } = property;
  const isFunction =
    /Function/.test(value.type) ||
    (value.type === "Identifier" && (value.name.startsWith("render") || functionNames.has(value.name)));
  return isFunction ? [property.key.name] : [];
}
