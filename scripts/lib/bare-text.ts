import { type Node, parseSync, Visitor } from "oxc-parser";

interface RenderedOutput {
  text?: boolean;
  /** The text never changes, such as a punctuation mark or a message without values. */
  constant?: boolean;
  element?: boolean;
  /** Renders nothing at times, or different elements. */
  changes?: boolean;
  /** Unknown without types: a variable or a call. */
  unknown?: boolean;
}

/** Returns the lines of texts beside other children: React throws when browser translation replaced one. */
export function findBareTexts(path: string, source: string): number[] {
  const starts: number[] = [];
  const functionNames: string[] = [];
  const enter = (node: { id?: { name: string } | null }) => functionNames.push(node.id?.name ?? "");
  const exit = () => functionNames.pop();
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    "FunctionDeclaration:exit": exit,
    "FunctionExpression:exit": exit,
    "ArrowFunctionExpression:exit": exit,
    ReturnStatement({ argument }) {
      if (argument && /^[A-Z]/.test(functionNames.at(-1)!) && analyzeNode(argument).text)
        starts.push(argument.start);
    },
    JSXElement(node) {
      starts.push(...findUnsafeTexts(node.children.filter(isRendered)));
    },
    JSXFragment(node) {
      starts.push(...findUnsafeTextsInFragment(node.children.filter(isRendered)));
    },
  }).visit(parseSync(path, source, { lang: "tsx" }).program);
  return [...new Set(starts.map((start) => source.slice(0, start).split("\n").length))];
}

function findUnsafeTexts(children: Node[]): number[] {
  if (children.length < 2) return [];
  const outputs = children.map(analyzeNode);
  return children.flatMap((child, index) => {
    const output = outputs[index]!;
    const isText = output.text || (output.unknown && [outputs[index - 1], outputs[index + 1]].some(isInline));
    if (!isText) return [];
    const precedingOutputs = outputs.slice(0, index).reverse();
    const fixedElementIndex = precedingOutputs.findIndex(({ element, changes }) => element && !changes);
    const outputsAfterFixed = precedingOutputs.slice(
      0,
      fixedElementIndex < 0 ? undefined : fixedElementIndex,
    );
    const isSafe = output.constant && !outputsAfterFixed.some(({ changes, unknown }) => changes || unknown);
    return isSafe ? [] : [child.start];
  });
}

/** A fragment may be added and removed, and its siblings are unknown. */
function findUnsafeTextsInFragment(children: Node[]): number[] {
  const texts = children.filter((child) => analyzeNode(child).text).map(({ start }) => start);
  return [...texts, ...findUnsafeTexts(children)];
}

function isInline(neighbour: RenderedOutput | undefined): boolean {
  return Boolean(neighbour?.text && neighbour.constant && !neighbour.element);
}

function isRendered(node: Node): boolean {
  if (node.type === "JSXText") return /\S/.test(node.value) || !node.value.includes("\n");
  return !(node.type === "JSXExpressionContainer" && node.expression.type === "JSXEmptyExpression");
}

function analyzeNode(node: Node): RenderedOutput {
  switch (node.type) {
    case "JSXText":
      return { text: true, constant: true };
    case "JSXElement":
    case "JSXFragment":
      return { element: true };
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
      return analyzeNode(node.expression);
    case "Literal":
      return typeof node.value === "string" ? { text: true, constant: true } : { changes: true };
    case "TemplateLiteral":
      return { text: true, constant: node.expressions.length === 0 };
    case "BinaryExpression":
      return { text: true };
    case "ConditionalExpression":
      return mergeOutputs(analyzeNode(node.consequent), analyzeNode(node.alternate));
    case "LogicalExpression":
      return mergeOutputs(
        node.operator === "&&" ? { changes: true } : analyzeNode(node.left),
        analyzeNode(node.right),
      );
    case "CallExpression":
      return analyzeCall(node.callee, node.arguments);
    case "Identifier":
      if (/^[A-Z_]+$/.test(node.name)) return { text: true, constant: true };
      return node.name === "undefined" ? { changes: true } : { unknown: true };
    default:
      return { unknown: true };
  }
}

function analyzeCall(callee: Node, [key, ...values]: Node[]): RenderedOutput {
  if (callee.type === "Identifier" && /^(t|text)$|^t[A-Z]/.test(callee.name))
    return { text: true, constant: key?.type === "Literal" && values.length === 0 };
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return { unknown: true };
  // Parts of a rich message are elements, see components/ui/format-message.ts.
  if (callee.property.name === "rich") return { element: true };
  return callee.property.name === "map" ? { element: true, changes: true } : { unknown: true };
}

function mergeOutputs(left: RenderedOutput, right: RenderedOutput): RenderedOutput {
  return {
    text: left.text || right.text,
    element: left.element || right.element,
    changes: left.element || right.element || left.changes || right.changes,
    unknown: left.unknown || right.unknown,
  };
}
