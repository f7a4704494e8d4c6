import { expect, it } from "vitest";
import { findBareTexts } from "./bare-text";

const isBare = (children: string) => findBareTexts("a.tsx", `const a = ${children};`).length > 0;

it.each([
  "<b>{busy ? <Spinner /> : null} {t('save')}</b>",
  "<b>{busy ? <On /> : <Off />} save</b>",
  "<b>{icon} save</b>",
  "<b><i />{busy && 'busy'}</b>",
  "<b>{t('count', { count })} <i /></b>",
  "<b>{'sites: ' + count} <i /></b>",
  "<b>{count} / {total}</b>",
  "<b>{open ? <>a <i /></> : null}</b>",
  "<b>{rows.map((row) => <Row key={row} />)} end</b>",
])("finds the text node of %s", (children) => {
  expect(isBare(children)).toBe(true);
});

it.each([
  "<b>{t('count', { count })}</b>",
  "<b>{busy ? t('busy') : <i />}</b>",
  "<b><i /> {t('save')}</b>",
  "<b>{t('save')} {busy ? <Spinner /> : null}</b>",
  "<b>{busy ? <Spinner /> : null}<i /> {t('save')}</b>",
  "<b><span>{t('count', { count })}</span>{busy ? <i /> : null}</b>",
  "<b>{t.rich('count', { count })} <i /></b>",
  "<b>\n  {children}\n  <i />\n</b>",
])("allows %s", (children) => {
  expect(isBare(children)).toBe(false);
});

it("finds the text that a component returns", () => {
  expect(findBareTexts("a.tsx", "function State() { return open ? t('open') : null; }")).toEqual([1]);
  expect(findBareTexts("a.tsx", "function state() { return t('open'); }")).toEqual([]);
});
