import { expect, it } from "vitest";
import { html } from "./html";

it("escapes values in texts and attributes, but not nested markup", () => {
  const inner = html`<b>${"1 < 2 & 3"}</b>`;
  expect(html`<p title="${'"quoted" > x'}">${[inner, null, false, "<i>", 7]}</p>`.markup).toBe(
    '<p title="&quot;quoted&quot; &gt; x"><b>1 &lt; 2 &amp; 3</b>&lt;i&gt;7</p>',
  );
});
