import { expect, it } from "vitest";
import { findMismatchedArguments } from "./rich-text";

const TEXTS = new Map([
  ["gates.until", "Until {time}"],
  ["gates.since", "Since <time></time>"],
  ["gates.ends", "{count, plural, other {#}} end"],
]);
const find = (call: string) =>
  findMismatchedArguments("gates.tsx", `const t = useTranslations("gates");\nconst a = ${call};`, TEXTS);

it("reports functions that are passed for plain arguments of rich texts", () => {
  expect(find('t.rich("until", { time: () => <Time /> })')).toEqual([
    "2: gates.until has {time}, which is a function",
  ]);
  expect(find('t.rich(isOver ? "until" : "since", { time: () => <Time /> })')).toHaveLength(1);
  expect(find("t.rich(`un$" + "{rest}`, { time: () => <Time /> })")).toHaveLength(1);
  expect(find('t.rich("ends", { count: () => 1 })')).toHaveLength(1);
  expect(find('t.rich("until", { time }); const time = () => <Time />')).toHaveLength(1);
  expect(find('t.rich("since", { time: () => <Time /> })')).toEqual([]);
  expect(find('t.rich("until", { time: <Time /> })')).toEqual([]);
});
