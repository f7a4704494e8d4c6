import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  isBinaryExpression,
  isBlock,
  isIfStatement,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isReturnStatement,
  isTemplateExpression,
  isThrowStatement,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";

/** One change of one place that guards something: `text` in place of what is from `start` to `end`. */
export interface Mutant {
  path: string;
  line: number;
  change: string;
  start: number;
  end: number;
  text: string;
}

type Change = Pick<Mutant, "change" | "start" | "end" | "text">;

/** Comparisons with their boundary moved by one. */
const BOUNDARY: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
/** Comparisons and sums turned round. */
const OPPOSITE: Record<string, string> = {
  "===": "!==",
  "!==": "===",
  "+=": "-=",
  "-=": "+=",
  "+": "-",
  "-": "+",
  "*": "/",
};
/** Where sums are money; elsewhere they are positions and texts. */
const MONEY = /\/(billing|credits|slots)\//;

/** Finds every mutant of a file, in the order of the source. */
export function findMutants(path: string, source: SourceFile): Mutant[] {
  const found: Change[] = [];
  visit(source);
  // A `where` within a `where` is found twice.
  const unique = new Map(found.map((each) => [`${each.start}-${each.end}-${each.text}`, each]));
  return [...unique.values()].map((each) => ({ path, line: lineOf(each.start), ...each }));

  function visit(node: Node): void {
    found.push(...changesOf(node, source, path));
    node.forEachChild(visit);
  }

  function lineOf(position: number): number {
    return source.text.slice(0, position).split("\n").length;
  }
}

function changesOf(node: Node, source: SourceFile, path: string): Change[] {
  if (isIfStatement(node) && leaves(node.thenStatement)) {
    const condition = node.expression;
    return [
      replace(condition, "false", "guard removed"),
      replace(condition, `!(${condition.getText(source)})`, "guard turned round"),
    ];
  }
  if (isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const operator = operatorToken.getText(source);
    // A literal at the right is a default or a value, not a condition.
    const isCondition =
      !isObjectLiteralExpression(right) && !/^(null|""|"[^"]*"|\d+)$/.test(right.getText(source));
    if ((operator === "&&" || operator === "||") && isCondition)
      return [
        replace(node, right.getText(source), "left of a condition removed"),
        replace(node, left.getText(source), "right of a condition removed"),
      ];
    if (BOUNDARY[operator]) return [replace(operatorToken, BOUNDARY[operator], "boundary moved")];
    const isSum = /^[-+*]=?$/.test(operator);
    // A guard as a whole is turned round above; other comparisons count when they count something.
    if (OPPOSITE[operator] && (isSum ? MONEY.test(path) : isNumericLiteral(right)))
      return [
        replace(operatorToken, OPPOSITE[operator], isSum ? "sum turned round" : "comparison turned round"),
      ];
  }
  if (isPropertyAssignment(node) && node.name.getText(source) === "where")
    return propertiesOf(node.initializer);
  // Conditions that several queries share stand outside of a `where`; the filter among them tells.
  if (isObjectLiteralExpression(node) && node.properties.some(isFiltered)) return propertiesOf(node);
  const isTemplate = isTemplateExpression(node) || isNoSubstitutionTemplateLiteral(node);
  if (isTemplate && path.endsWith("/statements.ts")) return conditionsOf(node);
  // What is written in capitals is a limit or a life: 10 times the first number of it.
  if (isVariableDeclaration(node) && /^[A-Z][A-Z_]+$/.test(node.name.getText(source))) return numbersOf(node);
  return [];

  function replace(what: Node, text: string, change: string): Change {
    return { change, start: what.getStart(source), end: what.end, text };
  }

  /** Each condition of a `where`; the whole of a nested `where` is a condition, too. */
  function propertiesOf(where: Node): Change[] {
    if (!isObjectLiteralExpression(where)) return [];
    return where.properties.flatMap((property) => [
      dropped(property),
      ...(isPropertyAssignment(property) && !isFiltered(property) ? propertiesOf(property.initializer) : []),
    ]);
  }

  function dropped(property: Node): Change {
    return { ...replace(property, "", "condition of a where removed"), end: afterComma(property.end) };
  }

  /** `expiresAt: { gt: … }` and the like. */
  function isFiltered(property: Node): boolean {
    return /^\w+: \{\s*(not|gte?|lte?|in|notIn):/.test(property.getText(source));
  }

  function afterComma(end: number): number {
    return end + (/^\s*,/.exec(source.text.slice(end))?.[0].length ?? 0);
  }

  function numbersOf(declaration: Node): Change[] {
    const first = firstNumber(declaration);
    return first ? [replace(first, `(10 * ${first.getText(source)})`, "limit times 10")] : [];
  }

  /** The conditions of a statement, each replaced by `true`. */
  function conditionsOf(template: Node): Change[] {
    const start = template.getStart(source);
    // Values may hold brackets and words of their own.
    const sql = source.text
      .slice(start, template.end)
      .replace(/\$\{(?:\{[^{}]*\}|[^{}])*\}/g, (value) => "$".repeat(value.length));
    return [...sql.matchAll(/\b(where|and)\s+(?=\S)/g)]
      .filter(({ index }) => !/\bbetween\s+\S+\s+$/.test(sql.slice(0, index)))
      .map(({ 0: word, index }) => index + word.length)
      .map((from) => ({
        change: "condition of a statement removed",
        start: start + from,
        end: start + from + lengthOfCondition(sql.slice(from)),
        text: "true",
      }));
  }
}

/** Whether a branch ends in `throw` or `return`. */
function leaves(branch: Node): boolean {
  const last = isBlock(branch) ? branch.statements.at(-1) : branch;
  return last !== undefined && (isThrowStatement(last) || isReturnStatement(last));
}

function firstNumber(node: Node): Node | undefined {
  // A number may be a property's name.
  if (isPropertyAssignment(node)) return firstNumber(node.initializer);
  return isNumericLiteral(node) ? node : node.forEachChild(firstNumber);
}

/** What ends a condition of SQL, outside of brackets. */
const END =
  /^(\s+(and|or|order|group|limit|offset|returning|for|on|then|union|set|left join|join)\b|\s*[`;])/;

function lengthOfCondition(sql: string): number {
  let depth = 0;
  for (let at = 0; at < sql.length; at++) {
    if (depth === 0 && END.test(sql.slice(at))) return at;
    if (sql[at] === "(") depth += 1;
    if (sql[at] === ")") depth -= 1;
    if (depth < 0) return at;
  }
  return sql.length;
}
