import { type Node, parseSync, Visitor } from "oxc-parser";

/** Possible output of an expression. */
interface Rendered {
  text?: boolean;
  /** The text never changes, such as a punctuation mark or a message without values. */
  constant?: boolean;
  element?: boolean;
  /** Renders nothing at times, or different elements. */
  changes?: boolean;
  /** Unknown without types: a variable or a call. */
  unknown?: boolean;
}

/**
 * Returns the lines of text nodes next to other children. Browser translation replaces text nodes; React then throws when it
 * removes one or inserts before one, and updates an invisible one. The only child of an element is safe.
 */
export function bareTexts(path: string, source: string): number[] {
  const starts: number[] = [];
  /** Names of the enclosing functions; components are capitalised. */
  const functions: string[] = [];
  const enter = (node: { id?: { name: string } | null }) => functions.push(node.id?.name ?? "");
  const exit = () => functions.pop();
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    "FunctionDeclaration:exit": exit,
    "FunctionExpression:exit": exit,
    "ArrowFunctionExpression:exit": exit,
    ReturnStatement({ argument }) {
      if (argument && /^[A-Z]/.test(functions.at(-1)!) && renderedBy(argument).text)
        starts.push(argument.start);
    },
    JSXElement(node) {
      starts.push(...wrongAmong(node.children.filter(isRendered)));
    },
    JSXFragment(node) {
      starts.push(...wrongInFragment(node.children.filter(isRendered)));
    },
  }).visit(parseSync(path, source, { lang: "tsx" }).program);
  return [...new Set(starts.map((start) => source.slice(0, start).split("\n").length))];
}

function wrongAmong(children: Node[]): number[] {
  if (children.length < 2) return [];
  const rendered = children.map(renderedBy);
  return children.flatMap((child, at) => {
    const own = rendered[at]!;
    const isText = own.text || (own.unknown && [rendered[at - 1], rendered[at + 1]].some(isInline));
    if (!isText) return [];
    const follows = rendered.slice(0, at).reverse();
    const fixed = follows.findIndex(({ element, changes }) => element && !changes);
    const before = follows.slice(0, fixed < 0 ? undefined : fixed);
    const safe = own.constant && !before.some(({ changes, unknown }) => changes || unknown);
    return safe ? [] : [child.start];
  });
}

/** A fragment may be added and removed, and its siblings are unknown. */
function wrongInFragment(children: Node[]): number[] {
  const texts = children.filter((child) => renderedBy(child).text).map(({ start }) => start);
  return [...texts, ...wrongAmong(children)];
}

/** A variable between words is text. */
function isInline(neighbour: Rendered | undefined): boolean {
  return Boolean(neighbour?.text && neighbour.constant && !neighbour.element);
}

function isRendered(node: Node): boolean {
  if (node.type === "JSXText") return /\S/.test(node.value) || !node.value.includes("\n");
  return !(node.type === "JSXExpressionContainer" && node.expression.type === "JSXEmptyExpression");
}

function renderedBy(node: Node): Rendered {
  switch (node.type) {
    case "JSXText":
      return { text: true, constant: true };
    case "JSXElement":
    case "JSXFragment":
      return { element: true };
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
      return renderedBy(node.expression);
    case "Literal":
      return typeof node.value === "string" ? { text: true, constant: true } : { changes: true };
    case "TemplateLiteral":
      return { text: true, constant: node.expressions.length === 0 };
    case "BinaryExpression":
      return { text: true };
    case "ConditionalExpression":
      return eitherOf(renderedBy(node.consequent), renderedBy(node.alternate));
    case "LogicalExpression":
      return eitherOf(
        node.operator === "&&" ? { changes: true } : renderedBy(node.left),
        renderedBy(node.right),
      );
    case "CallExpression":
      return renderedByCall(node.callee, node.arguments);
    case "Identifier":
      // A name in capitals is a constant.
      if (/^[A-Z_]+$/.test(node.name)) return { text: true, constant: true };
      return node.name === "undefined" ? { changes: true } : { unknown: true };
    default:
      return { unknown: true };
  }
}

function renderedByCall(callee: Node, [key, ...values]: Node[]): Rendered {
  if (callee.type === "Identifier" && /^(t|text)$|^t[A-Z]/.test(callee.name))
    return { text: true, constant: key?.type === "Literal" && values.length === 0 };
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return { unknown: true };
  // Parts of a rich message are elements, see components/ui/format-message.ts.
  if (callee.property.name === "rich") return { element: true };
  return callee.property.name === "map" ? { element: true, changes: true } : { unknown: true };
}

function eitherOf(a: Rendered, b: Rendered): Rendered {
  return {
    text: a.text || b.text,
    element: a.element || b.element,
    changes: a.element || b.element || a.changes || b.changes,
    unknown: a.unknown || b.unknown,
  };
}
