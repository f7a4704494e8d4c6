import { type Node, parseSync, Visitor } from "oxc-parser";

interface RenderedOutput {
  isText?: boolean;
  /** The text never changes, such as a punctuation mark or a message without values. */
  isConstant?: boolean;
  isElement?: boolean;
  /** Renders nothing at times, or different elements. */
  mayChange?: boolean;
  /** Unknown without types: a variable or a call. */
  isUnknown?: boolean;
}

/**
 * Returns the line numbers of texts beside other children: React throws after a browser's translation has
 * replaced such a text.
 */
export function findBareTexts(path: string, source: string): number[] {
  const textStarts: number[] = [];
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
      if (argument && /^[A-Z]/.test(functionNames.at(-1)!) && analyzeNode(argument).isText)
        textStarts.push(argument.start);
    },
    JSXElement(node) {
      textStarts.push(...findUnsafeTexts(node.children.filter(isRendered)));
    },
    JSXFragment(node) {
      textStarts.push(...findUnsafeTextsInFragment(node.children.filter(isRendered)));
    },
  }).visit(parseSync(path, source, { lang: "tsx" }).program);
  return [...new Set(textStarts.map((start) => source.slice(0, start).split("\n").length))];
}

function findUnsafeTexts(children: Node[]): number[] {
  if (children.length < 2) return [];
  const outputs = children.map(analyzeNode);
  return children.flatMap((child, index) => {
    const output = outputs[index]!;
    const isText =
      output.isText || (output.isUnknown && [outputs[index - 1], outputs[index + 1]].some(isInline));
    if (!isText) return [];
    const precedingOutputs = outputs.slice(0, index).reverse();
    const fixedElementIndex = precedingOutputs.findIndex(
      ({ isElement, mayChange }) => isElement && !mayChange,
    );
    const outputsAfterFixed = precedingOutputs.slice(
      0,
      fixedElementIndex < 0 ? undefined : fixedElementIndex,
    );
    const isSafe =
      output.isConstant && !outputsAfterFixed.some(({ mayChange, isUnknown }) => mayChange || isUnknown);
    return isSafe ? [] : [child.start];
  });
}

/** A fragment may be added and removed, and its siblings are unknown. */
function findUnsafeTextsInFragment(children: Node[]): number[] {
  const texts = children.filter((child) => analyzeNode(child).isText).map(({ start }) => start);
  return [...texts, ...findUnsafeTexts(children)];
}

function isInline(neighbour: RenderedOutput | undefined): boolean {
  return Boolean(neighbour?.isText && neighbour.isConstant && !neighbour.isElement);
}

function isRendered(node: Node): boolean {
  if (node.type === "JSXText") return /\S/.test(node.value) || !node.value.includes("\n");
  return !(node.type === "JSXExpressionContainer" && node.expression.type === "JSXEmptyExpression");
}

function analyzeNode(node: Node): RenderedOutput {
  switch (node.type) {
    case "JSXText":
      return { isText: true, isConstant: true };
    case "JSXElement":
    case "JSXFragment":
      return { isElement: true };
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
      return analyzeNode(node.expression);
    case "Literal":
      return typeof node.value === "string" ? { isText: true, isConstant: true } : { mayChange: true };
    case "TemplateLiteral":
      return { isText: true, isConstant: node.expressions.length === 0 };
    case "BinaryExpression":
      return { isText: true };
    case "ConditionalExpression":
      return mergeOutputs(analyzeNode(node.consequent), analyzeNode(node.alternate));
    case "LogicalExpression":
      return mergeOutputs(
        node.operator === "&&" ? { mayChange: true } : analyzeNode(node.left),
        analyzeNode(node.right),
      );
    case "CallExpression":
      return analyzeCall(node.callee, node.arguments);
    case "Identifier":
      if (/^[A-Z_]+$/.test(node.name)) return { isText: true, isConstant: true };
      return node.name === "undefined" ? { mayChange: true } : { isUnknown: true };
    default:
      return { isUnknown: true };
  }
}

function analyzeCall(callee: Node, [key, ...values]: Node[]): RenderedOutput {
  if (callee.type === "Identifier" && /^(t|text)$|^t[A-Z]/.test(callee.name))
    return { isText: true, isConstant: key?.type === "Literal" && values.length === 0 };
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return { isUnknown: true };
  // Parts of a rich message are elements, see components/ui/format-message.ts.
  if (callee.property.name === "rich") return { isElement: true };
  return callee.property.name === "map" ? { isElement: true, mayChange: true } : { isUnknown: true };
}

function mergeOutputs(left: RenderedOutput, right: RenderedOutput): RenderedOutput {
  return {
    isText: left.isText || right.isText,
    isElement: left.isElement || right.isElement,
    mayChange: left.isElement || right.isElement || left.mayChange || right.mayChange,
    isUnknown: left.isUnknown || right.isUnknown,
  };
}
